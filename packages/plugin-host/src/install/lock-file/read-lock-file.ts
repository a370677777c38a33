// SPDX-License-Identifier: Apache-2.0
import { string, toJs } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { type Diagnostic, type Expression, parseConfig } from "@tenon/hcl";
import { expressionList } from "@tenon/hcl/analysis";
import { type Attribute, type Block, nativeBody } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { PluginHostError } from "../../error.ts";
import { formatAddress, isBuiltIn, parseAddress, type SourceAddress } from "../address/source-address.ts";
import { formatVersion, parseVersion, type Version } from "../version/version.ts";
import { formatConstraints, parseConstraints, type VersionConstraints } from "../version/version-constraints.ts";
import type { ProviderLock, ProviderLocks } from "./lock-file.ts";

/**
 * Reads the text of a lock file. Addresses must be written in full, versions and constraints in their canonical form.
 *
 * @param name Name of the file in errors.
 * @throws PluginHostError `INVALID_LOCK_FILE`, with the line.
 * @see OpenTofu internal/depsfile, LoadLocksFromBytes
 */
export function readLockFile(text: string, name: string): ProviderLocks {
  const reader = new LockFileReader(name);
  return reader.read(text);
}

class LockFileReader {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  read(text: string): ProviderLocks {
    const { body, diagnostics } = parseConfig(text, this.#name);
    this.#refuseErrors(diagnostics);
    // Module blocks are reserved for later versions of the CLIs, which ignore them today.
    const schema = {
      blocks: [
        { type: "provider", labelNames: ["source_addr"] },
        { type: "module", labelNames: ["path"] },
      ],
    };
    const found = nativeBody(body).content(schema);
    this.#refuseErrors(found.diagnostics);
    const locks = new Map<string, ProviderLock>();
    for (const block of found.content.blocks.filter(({ type }) => type === "provider")) {
      const lock = this.#providerLock(block);
      const address = formatAddress(lock.address);
      if (locks.has(address)) this.#refuse(`there are two entries for ${address}`, block.declarationRange.start.line);
      locks.set(address, lock);
    }
    return locks;
  }

  #providerLock(block: Block): ProviderLock {
    const address = this.#address(block.labels[0] ?? "", block.declarationRange.start.line);
    const schema = { attributes: [{ name: "version", required: true }, { name: "constraints" }, { name: "hashes" }] };
    const { content, diagnostics } = block.body.content(schema);
    this.#refuseErrors(diagnostics);
    const { attributes } = content;
    return {
      address,
      version: this.#version(attributes.get("version")),
      constraints: this.#constraints(attributes.get("constraints")),
      hashes: this.#hashes(attributes.get("hashes")),
    };
  }

  #address(text: string, line: number): SourceAddress {
    // The default hostname does not matter, because a full address names its hostname.
    const address = this.#parsed(text, line, (given) => parseAddress(given, ""));
    const canonical = formatAddress(address);
    if (canonical !== text) this.#refuse(`the address ${JSON.stringify(text)} must be written in full, and in lower case`, line);
    if (isBuiltIn(address)) this.#refuse(`${canonical} is part of the CLIs, and cannot be locked`, line);
    return address;
  }

  #version(attribute: Attribute | undefined): Version {
    const { text, line } = this.#text(attribute?.expression);
    const version = this.#parsed(text, line, parseVersion);
    if (formatVersion(version) !== text)
      this.#refuse(`the version ${JSON.stringify(text)} must be ${JSON.stringify(formatVersion(version))}`, line);
    return version;
  }

  #constraints(attribute: Attribute | undefined): VersionConstraints {
    if (!attribute) return [];
    const { text, line } = this.#text(attribute.expression);
    const constraints = this.#parsed(text, line, parseConstraints);
    const canonical = formatConstraints(constraints);
    if (canonical !== text) this.#refuse(`the constraints ${JSON.stringify(text)} must be written as ${JSON.stringify(canonical)}`, line);
    return constraints;
  }

  #hashes(attribute: Attribute | undefined): readonly string[] {
    if (!attribute) return [];
    const { list: expressions = [], diagnostics } = expressionList(attribute.expression);
    this.#refuseErrors(diagnostics);
    const { line } = attribute.range.start;
    if (expressions.length === 0) this.#refuse("hashes must contain at least one hash, or be omitted", line);
    return expressions.map((expression) => {
      const { text } = this.#text(expression);
      return /^[^:]+:/.test(text) ? text : this.#refuse(`the hash ${JSON.stringify(text)} must begin with its kind and a colon`, line);
    });
  }

  #text(expression: Expression | undefined): { readonly text: string; readonly line: number } {
    if (!expression) return this.#refuse("the attribute is missing", 1);
    const { value, diagnostics } = evaluate(expression);
    this.#refuseErrors(diagnostics);
    const { line } = expression.range.start;
    const text: unknown = this.#parsed("", line, () => toJs(convert(value, string)));
    return typeof text === "string" ? { text, line } : this.#refuse("expected a string", line);
  }

  #parsed<Result>(text: string, line: number, parse: (text: string) => Result): Result {
    try {
      return parse(text);
    } catch (cause) {
      return this.#refuse(cause instanceof Error ? cause.message : String(cause), line, cause);
    }
  }

  #refuseErrors(diagnostics: readonly Diagnostic[]): void {
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error) this.#refuse(`${error.summary}: ${error.detail}`, error.subject?.start.line ?? 1);
  }

  #refuse(reason: string, line: number, cause?: unknown): never {
    throw new PluginHostError("INVALID_LOCK_FILE", `${this.#name}, line ${line}: ${reason}`, cause === undefined ? {} : { cause });
  }
}
