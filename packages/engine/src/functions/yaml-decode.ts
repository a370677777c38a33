// SPDX-License-Identifier: Apache-2.0
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Alias,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { CtyError, dynamic, friendlyName, isKnown, isNull, nullOf, objectOf, string, tupleOf, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { entriesOf, partsOf, stringOf } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";
import { needsOwnText, scalarText, withLineFeeds } from "./yaml-line-breaks.ts";
import { resolveScalar } from "./yaml-scalar.ts";

/**
 * The function `yamldecode`: decodes a YAML document. Mappings become objects, sequences become tuples, and timestamps become strings.
 * Anchors, aliases and merge keys are resolved.
 *
 * @see go-cty-yaml YAMLDecodeFunc
 */
export const yamlDecodeFunction: CtyFunction = defineFunction({
  description: "Decodes a YAML document to the value it stands for.",
  params: [{ name: "src", type: string }],
  type: ([source]) => (isKnown(source) ? decodeYaml(stringOf(source)).type : dynamic),
  impl: ([source]) => decodeYaml(stringOf(source)),
});

/**
 * Decodes a YAML document.
 *
 * @throws CtyError `MALFORMED` with the line and column of the first error.
 */
export function decodeYaml(given: string): Value {
  if (forbidden.test(given)) throw new CtyError("MALFORMED", "control characters are not allowed");
  const source = withLineFeeds(given);
  requireDocument(source);
  const lines = new LineCounter();
  // The failsafe schema leaves scalars as text, which `resolveScalar` converts to values.
  const documents = parseAllDocuments(source, {
    schema: "failsafe",
    resolveKnownTags: false,
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
    keepSourceTokens: true,
    logLevel: "silent",
  });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined) throw new CtyError("MALFORMED", "did not find expected node content");
  const [error] = document.errors;
  if (error !== undefined) throw yamlError(lines, error.pos[0], error.message);
  if (second !== undefined) throw yamlError(lines, second.range[0], "unexpected extra content after value");
  const decoder = new YamlDecoder(given, source, lines);
  const { contents, directives } = document;
  const isEmpty =
    contents === null || (isScalar(contents) && contents.source === "" && contents.type === "PLAIN" && contents.tag === undefined);
  if (isEmpty && directives?.docStart !== true) throw new CtyError("MALFORMED", "did not find expected node content");
  return contents === null ? nullOf(dynamic) : decoder.value(contents);
}

/** Rejects a source of spaces and comments only. The error has the line after the last one, counted from 0. */
function requireDocument(source: string): void {
  const lines = source.split(/\r?\n/);
  if (!lines.every((line) => /^ *(?:#|$)/.test(line))) return;
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  throw new CtyError("MALFORMED", `on line ${Math.max(count, 1)}, column 1: missing start of document`);
}

/** Matches the characters that a document must not contain. @see YAML 1.1, c-printable */
// eslint-disable-next-line no-control-regex
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Creates the error with the position of an offset. */
function yamlError(lines: LineCounter, offset: number, message: string): CtyError {
  const { line, col } = lines.linePos(offset);
  // OpenTofu counts lines from 0, and omits the position of errors on the first line.
  return new CtyError("MALFORMED", line <= 1 ? message : `on line ${line - 1}, column ${col}: ${message}`);
}

class YamlDecoder {
  /** The source as it was given. */
  readonly #given: string;
  /** The source with all its line breaks replaced by line feeds. */
  readonly #source: string;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Value>();
  /** The anchors of the nodes that are being decoded. An alias in a node cannot refer to its own anchor. */
  readonly #openAnchors = new Set<string>();

  constructor(given: string, source: string, lines: LineCounter) {
    this.#given = given;
    this.#source = source;
    this.#lines = lines;
  }

  value(node: Node): Value {
    if (isAlias(node)) return this.#aliased(node);
    const anchor = "anchor" in node ? node.anchor : undefined;
    if (anchor !== undefined) this.#openAnchors.add(anchor);
    const value = isMap(node) ? this.#mapping(node) : isSeq(node) ? this.#sequence(node) : this.#scalar(node);
    if (anchor !== undefined) {
      this.#openAnchors.delete(anchor);
      this.#anchors.set(anchor, value);
    }
    return value;
  }

  #aliased(node: Alias): Value {
    if (this.#openAnchors.has(node.source)) {
      throw this.#problem(node, `cannot refer to anchor ${goQuote(node.source)} from inside its own definition`);
    }
    const value = this.#anchors.get(node.source);
    if (value === undefined) throw this.#problem(node, `reference to undefined anchor ${goQuote(node.source)}`);
    return value;
  }

  #scalar(node: Scalar): Value {
    const isQuoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
    try {
      const value = resolveScalar(node.tag, this.#text(node), isQuoted);
      // The value of a block scalar is converted back to a string.
      return node.tag === undefined && node.type !== "PLAIN" ? convert(value, string) : value;
    } catch (error) {
      throw error instanceof CtyError ? this.#problem(node, error.message) : error;
    }
  }

  #text(node: Scalar): string {
    if (isUnclosed(node)) throw this.#problem(node, "found unexpected end of stream");
    return needsOwnText(this.#given, node) ? scalarText(this.#given, node) : (node.source ?? "");
  }

  #sequence(node: YAMLSeq): Value {
    if (node.tag !== undefined && node.tag !== "tag:yaml.org,2002:seq")
      throw this.#problem(node, `can't interpret sequence as ${node.tag}`);
    return tupleOf(node.items.map((item) => this.#part(item)));
  }

  #mapping(node: YAMLMap): Value {
    if (node.tag !== undefined && node.tag !== "tag:yaml.org,2002:map") throw this.#problem(node, `can't interpret mapping as ${node.tag}`);
    const attributes = new Map<string, Value>();
    for (const { key, value } of node.items) {
      if (isMergeKey(key)) this.#merge(attributes, key, this.#part(value));
      else attributes.set(this.#key(key), this.#part(value));
    }
    return objectOf(attributes);
  }

  #part(node: unknown): Value {
    return node === null || node === undefined ? nullOf(dynamic) : this.value(node as Node);
  }

  #key(node: unknown): string {
    if (node === null) throw new CtyError("MALFORMED", "mapping key cannot be null");
    if (!isScalar(node)) throw this.#problem(node as Node, "only strings are allowed as mapping keys");
    let key: Value;
    try {
      key = convert(this.#scalar(node), string);
    } catch (error) {
      if (!(error instanceof CtyError) || error.code === "MALFORMED") throw error;
      throw this.#problem(node, "only strings are allowed as mapping keys");
    }
    if (isNull(key)) throw this.#problem(node, "mapping key cannot be null");
    return stringOf(key);
  }

  #merge(attributes: Map<string, Value>, key: Scalar, merged: Value): void {
    const refuse = (what: string): never => {
      throw this.#problem(key, `cannot merge ${what} into mapping`);
    };
    if (merged.type.kind === "object") {
      for (const [name, value] of entriesOf(merged)) attributes.set(name, value);
    } else if (merged.type.kind === "tuple") {
      for (const part of partsOf(merged)) {
        if (part.type.kind !== "object") refuse(`${friendlyName(part.type)} (from sequence)`);
        for (const [name, value] of entriesOf(part)) attributes.set(name, value);
      }
    } else refuse(friendlyName(merged.type));
  }

  #problem(node: Node, message: string): CtyError {
    const start = node.range?.[0] ?? 0;
    // The tag and the anchor before a node are part of the node.
    const properties = /(?:[!&]\S*\s+)+$/.exec(this.#source.slice(0, start))?.[0].length ?? 0;
    return yamlError(this.#lines, start - properties, message);
  }
}

/** Whether the closing quote of a scalar is missing. The parser takes an escaped quote at the end of the source for the closing one. */
function isUnclosed({ type, srcToken }: Scalar): boolean {
  const content = srcToken !== undefined && "source" in srcToken ? srcToken.source.slice(1) : "";
  if (type === "QUOTE_DOUBLE") return !content.endsWith('"') || runAtEnd(content.slice(0, -1), "\\") % 2 === 1;
  return type === "QUOTE_SINGLE" && runAtEnd(content, "'") % 2 === 0;
}

/** The number of times that a character is repeated at the end of a text. */
function runAtEnd(text: string, character: string): number {
  let start = text.length;
  while (text[start - 1] === character) start--;
  return text.length - start;
}

function isMergeKey(key: unknown): key is Scalar {
  return isScalar(key) && ((key.tag === undefined && key.value === "<<") || key.tag === "tag:yaml.org,2002:merge");
}
