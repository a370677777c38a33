// SPDX-License-Identifier: Apache-2.0
import { string, toJs } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import {
  type Attribute,
  type Block,
  type Diagnostic,
  evaluate,
  type Expression,
  expressionList,
  nativeBody,
  parseConfig,
} from "@tenon/hcl";
import { PluginHostError } from "../../error.ts";
import { formatAddress, isBuiltIn, parseAddress, type SourceAddress } from "../address/source-address.ts";
import { formatVersion, parseVersion, type Version } from "../version/version.ts";
import { formatConstraints, parseConstraints, type VersionConstraints } from "../version/version-constraints.ts";
import type { ProviderLock, ProviderLocks } from "./lock-file.ts";

/**
 * Reads the text of a lock file. It must be as a CLI writes it: addresses in full, versions and constraints in their canonical form.
 *
 * @param name What errors call the file.
 * @throws PluginHostError `INVALID_LOCK_FILE`, with the line.
 * @see OpenTofu internal/depsfile, LoadLocksFromBytes
 */
export function readLockFile(text: string, name: string): ProviderLocks {
  const reader = new LockFileReader(name);
  return reader.read(text);
}

class LockFileReader {
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  read(text: string): ProviderLocks {
    const { body, diagnostics } = parseConfig(text, this.name);
    this.refuseErrors(diagnostics);
    // Locks of modules are for versions to come: nobody reads them yet.
    const schema = {
      blocks: [
        { type: "provider", labelNames: ["source_addr"] },
        { type: "module", labelNames: ["path"] },
      ],
    };
    const found = nativeBody(body).content(schema);
    this.refuseErrors(found.diagnostics);
    const locks = new Map<string, ProviderLock>();
    for (const block of found.content.blocks.filter(({ type }) => type === "provider")) {
      const lock = this.providerLock(block);
      const address = formatAddress(lock.address);
      if (locks.has(address)) this.refuse(`there are two entries for ${address}`, block.declarationRange.start.line);
      locks.set(address, lock);
    }
    return locks;
  }

  private providerLock(block: Block): ProviderLock {
    const address = this.address(block.labels[0] ?? "", block.declarationRange.start.line);
    const schema = { attributes: [{ name: "version", required: true }, { name: "constraints" }, { name: "hashes" }] };
    const { content, diagnostics } = block.body.content(schema);
    this.refuseErrors(diagnostics);
    const { attributes } = content;
    return {
      address,
      version: this.version(attributes.get("version")),
      constraints: this.constraints(attributes.get("constraints")),
      hashes: this.hashes(attributes.get("hashes")),
    };
  }

  private address(text: string, line: number): SourceAddress {
    // Whose registry would be the default one does not matter: an address in full names its own.
    const address = this.parsed(text, line, (given) => parseAddress(given, ""));
    const canonical = formatAddress(address);
    if (canonical !== text) this.refuse(`the address ${JSON.stringify(text)} must be written in full, and in lower case`, line);
    if (isBuiltIn(address)) this.refuse(`${canonical} is part of the CLIs, and cannot be locked`, line);
    return address;
  }

  private version(attribute: Attribute | undefined): Version {
    const { text, line } = this.text(attribute?.expression);
    const version = this.parsed(text, line, parseVersion);
    if (formatVersion(version) !== text)
      this.refuse(`the version ${JSON.stringify(text)} must be ${JSON.stringify(formatVersion(version))}`, line);
    return version;
  }

  private constraints(attribute: Attribute | undefined): VersionConstraints {
    if (!attribute) return [];
    const { text, line } = this.text(attribute.expression);
    const constraints = this.parsed(text, line, parseConstraints);
    const canonical = formatConstraints(constraints);
    if (canonical !== text) this.refuse(`the constraints ${JSON.stringify(text)} must be written as ${JSON.stringify(canonical)}`, line);
    return constraints;
  }

  private hashes(attribute: Attribute | undefined): readonly string[] {
    if (!attribute) return [];
    const { list: expressions = [], diagnostics } = expressionList(attribute.expression);
    this.refuseErrors(diagnostics);
    const { line } = attribute.range.start;
    if (expressions.length === 0) this.refuse("hashes must be left out, or hold one at least", line);
    return expressions.map((expression) => {
      const { text } = this.text(expression);
      return /^[^:]+:/.test(text) ? text : this.refuse(`the hash ${JSON.stringify(text)} must begin with its kind and a colon`, line);
    });
  }

  private text(expression: Expression | undefined): { readonly text: string; readonly line: number } {
    if (!expression) return this.refuse("it is not complete", 1);
    const { value, diagnostics } = evaluate(expression);
    this.refuseErrors(diagnostics);
    const { line } = expression.range.start;
    const text: unknown = this.parsed("", line, () => toJs(convert(value, string)));
    return typeof text === "string" ? { text, line } : this.refuse("a text is wanted here", line);
  }

  private parsed<Result>(text: string, line: number, parse: (text: string) => Result): Result {
    try {
      return parse(text);
    } catch (cause) {
      return this.refuse(cause instanceof Error ? cause.message : String(cause), line, cause);
    }
  }

  private refuseErrors(diagnostics: readonly Diagnostic[]): void {
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error) this.refuse(`${error.summary}: ${error.detail}`, error.subject?.start.line ?? 1);
  }

  private refuse(reason: string, line: number, cause?: unknown): never {
    throw new PluginHostError("INVALID_LOCK_FILE", `${this.name}, line ${line}: ${reason}`, cause === undefined ? {} : { cause });
  }
}
