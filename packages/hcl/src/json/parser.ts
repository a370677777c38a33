// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import { maxNestingDepth } from "../parse/parser.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { JsonMember, JsonNode } from "../syntax/json.ts";
import { numberValue } from "../syntax/literal-values.ts";
import type { SourcePosition, SourceRange } from "../syntax/position.ts";
import { rangeBetween } from "../syntax/range.ts";
import { didYouMean, similarName } from "../syntax/suggestion.ts";
import { scanJson, type JsonToken } from "./scanner.ts";
import { startOfNode } from "./node.ts";
import { readJsonString } from "./string.ts";

/** Result of parsing a JSON text. */
export interface ParsedJsonNode {
  readonly node: JsonNode;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a JSON text. Invalid parts become `jsonInvalid` nodes. */
export function parseJsonNode(source: string | Uint8Array, filename: string, start: SourcePosition): ParsedJsonNode {
  const parser = new JsonParser(scanJson(source, filename, start));
  return { node: parser.whole(), diagnostics: parser.diagnostics };
}

const starts = "A JSON value must start with a brace, a bracket, a number, a string, or a keyword.";
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const keywords: readonly string[] = ["false", "true", "null"];
/** Identifiers of JavaScript that JSON does not have. */
const identifiers: readonly string[] = ["undefined", "NaN", "Infinity"];

class JsonParser {
  readonly diagnostics: Diagnostic[] = [];
  readonly #tokens: readonly JsonToken[];
  #at = 0;
  #depth = 0;
  /** Whether parsing stopped at the maximum nesting depth. */
  #stopped = false;

  constructor(tokens: readonly JsonToken[]) {
    this.#tokens = tokens;
  }

  whole(): JsonNode {
    const node = this.#value();
    if (this.diagnostics.length === 0 && this.#peek().kind !== "end") {
      this.#error("Extraneous data after value", "Extra characters appear after the JSON value.", this.#peek().range);
    }
    return node;
  }

  #peek(): JsonToken {
    return this.#tokens[this.#at]!;
  }

  #read(): JsonToken {
    const token = this.#tokens[this.#at]!;
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  #error(summary: string, detail: string, subject: SourceRange, context?: SourceRange): undefined {
    if (!this.#stopped) this.diagnostics.push(errorAt(summary, detail, subject, context));
    return undefined;
  }

  #value(): JsonNode {
    const { range } = this.#peek();
    return this.#valueIfAny() ?? { kind: "jsonInvalid", range };
  }

  #valueIfAny(): JsonNode | undefined {
    const token = this.#peek();
    switch (token.kind) {
      case "{":
        return this.#nested(token, () => this.#object());
      case "[":
        return this.#nested(token, () => this.#array());
      case "number":
        return this.#number(this.#read());
      case "string":
        return this.#string(this.#read());
      case "keyword":
        return this.#keyword(this.#read());
      case "}":
        return this.#error("Missing JSON value", starts, token.range);
      case "]":
        return this.#error("Missing array element value", starts, token.range);
      case "end":
        return this.#error("Missing value", "The JSON data ends prematurely.", token.range);
      default:
        return this.#error("Invalid start of value", starts, token.range);
    }
  }

  #nested(token: JsonToken, parse: () => JsonNode | undefined): JsonNode | undefined {
    if (this.#depth === maxNestingDepth) {
      this.#error("Nesting too deep", `JSON objects and arrays can be nested at most ${maxNestingDepth} levels deep.`, token.range);
      this.#stopped = true;
      this.#at = this.#tokens.length - 1;
      return undefined;
    }
    this.#depth += 1;
    const node = parse();
    this.#depth -= 1;
    return node;
  }

  /** Skips past the likely closing bracket, from a token that has been read. */
  #skip(first: JsonToken, opening: "{" | "[", closing: "}" | "]"): void {
    let open = 1;
    for (let token = first; token.kind !== "end"; token = this.#read()) {
      if (token.kind === opening) open += 1;
      else if (token.kind === closing) {
        open -= 1;
        if (open <= 1) return;
      }
    }
  }

  #object(): JsonNode | undefined {
    const open = this.#read();
    const members: JsonMember[] = [];
    while (this.#peek().kind !== "}") {
      const key = this.#value();
      if (key.kind !== "jsonString") {
        return this.#error("Invalid object property name", "A JSON object property name must be a string", startOfNode(key));
      }
      const colon = this.#read();
      if (colon.kind !== ":") return this.#noColon(colon);
      members.push({ name: key.value, value: this.#value(), nameRange: key.range });
      const next = this.#peek();
      if (next.kind === "}") break;
      if (next.kind !== ",") return this.#unfinishedObject(open, next);
      this.#read();
      if (this.#peek().kind === "}") {
        const detail = "JSON does not permit a trailing comma after the final property in an object.";
        return this.#error("Trailing comma in object", detail, next.range);
      }
    }
    const close = this.#read();
    return { kind: "jsonObject", members, openRange: open.range, closeRange: close.range, range: rangeBetween(open.range, close.range) };
  }

  #noColon(token: JsonToken): undefined {
    this.#skip(token, "{", "}");
    switch (token.kind) {
      case "}":
      case ",":
        return this.#error("Missing object value", "A JSON object attribute must have a value, introduced by a colon.", token.range);
      case "=":
        return this.#error(
          "Missing property value colon",
          "JSON uses a colon as its name/value delimiter, not an equals sign.",
          token.range,
        );
      default:
        return this.#error(
          "Missing property value colon",
          "A colon must appear between an object property's name and its value.",
          token.range,
        );
    }
  }

  #unfinishedObject(open: JsonToken, next: JsonToken): undefined {
    switch (next.kind) {
      case "end":
        return this.#error("Unclosed object", "No closing brace was found for this JSON object.", open.range);
      case "]":
        this.#read();
        return this.#error("Mismatched braces", "A JSON object must be closed with a brace, not a bracket.", this.#peek().range);
      default:
        this.#skip(this.#read(), "{", "}");
        return this.#error(
          "Missing attribute seperator comma",
          "A comma must appear between each property definition in an object.",
          this.#peek().range,
        );
    }
  }

  #array(): JsonNode | undefined {
    const open = this.#read();
    const elements: JsonNode[] = [];
    while (this.#peek().kind !== "]") {
      elements.push(this.#value());
      const next = this.#peek();
      if (next.kind === "]") break;
      if (next.kind !== ",") return this.#unfinishedArray(open, next);
      this.#read();
      if (this.#peek().kind === "]") {
        const detail = "JSON does not permit a trailing comma after the final value in an array.";
        return this.#error("Trailing comma in array", detail, next.range);
      }
    }
    const close = this.#read();
    return { kind: "jsonArray", elements, openRange: open.range, range: rangeBetween(open.range, close.range) };
  }

  #unfinishedArray(open: JsonToken, next: JsonToken): undefined {
    this.#skip(this.#read(), "[", "]");
    switch (next.kind) {
      case "end":
        return this.#error("Unclosed object", "No closing bracket was found for this JSON array.", open.range);
      case ":":
        return this.#error("Invalid array value", "A colon is not used to introduce values in a JSON array.", this.#peek().range);
      case "}":
        return this.#error("Mismatched brackets", "A JSON array must be closed with a bracket, not a brace.", this.#peek().range);
      default:
        return this.#error("Missing attribute seperator comma", "A comma must appear between each value in an array.", this.#peek().range);
    }
  }

  #number({ text, range }: JsonToken): JsonNode | undefined {
    const value = jsonNumber.test(text) ? numberValue(text) : undefined;
    if (value !== undefined) return { kind: "jsonNumber", value, range };
    return this.#error("Invalid JSON number", "There is a syntax error in the given JSON number.", range);
  }

  #string({ text, range }: JsonToken): JsonNode | undefined {
    const read = readJsonString(text);
    if ("text" in read) return { kind: "jsonString", value: read.text, range };
    const { line, column, byte } = range.start;
    const start = { line, column: column + read.wrongAt, byte: byte + read.wrongAt };
    const end = { line, column: start.column + 1, byte: start.byte + 1 };
    const detail = "There is a syntax error in the given JSON string.";
    return this.#error("Invalid JSON string", detail, { filename: range.filename, start, end }, range);
  }

  #keyword({ text, range }: JsonToken): JsonNode | undefined {
    if (text === "true" || text === "false") return { kind: "jsonBoolean", value: text === "true", range };
    if (text === "null") return { kind: "jsonNull", range };
    const detail = identifiers.includes(text)
      ? `The JavaScript identifier ${goQuote(text)} cannot be used in JSON.`
      : `${goQuote(text)} is not a valid JSON keyword.${didYouMean(similarName(text, keywords))}`;
    return this.#error("Invalid JSON keyword", detail, range);
  }
}
