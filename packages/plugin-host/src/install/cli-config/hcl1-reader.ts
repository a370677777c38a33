// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";

/** A value of HCL 1, the older language that the CLIs use only for their own configuration files. */
export type Hcl1Value = string | number | boolean | readonly Hcl1Value[] | Hcl1Object;

/** The items of a block, an object or a whole file, in source order. Keys may be repeated. */
export interface Hcl1Object {
  readonly items: readonly Hcl1Item[];
}

/** `key = value`, `key { … }`, or `key "label" { … }`. */
export interface Hcl1Item {
  /** The key, followed by the labels. Never empty. */
  readonly keys: readonly string[];
  /** Whether the item has an equals sign. `"json"` is valid both for assignments and for blocks. */
  readonly assigned: boolean | "json";
  readonly value: Hcl1Value;
  readonly line: number;
}

/** Whether the value is an object. */
export function isHcl1Object(value: Hcl1Value): value is Hcl1Object {
  return typeof value === "object" && "items" in value;
}

/**
 * Reads a file in HCL 1, or in its JSON form if its first character is a brace.
 *
 * @param name Name of the file in errors.
 * @throws PluginHostError `INVALID_CLI_CONFIG`, with the line.
 * @see hashicorp/hcl, version 1
 */
export function readHcl1(text: string, name: string): Hcl1Object {
  if (/^\s*\{/.test(text)) return readJson(text, name);
  const reader = new Hcl1Reader(text, name);
  return reader.readFile();
}

/** Maximum nesting depth for untrusted input. */
const maxDepth = 100;

class Hcl1Reader {
  readonly #text: string;
  readonly #name: string;
  #at = 0;
  #depth = 0;

  constructor(text: string, name: string) {
    this.#text = text.replace(/^\uFEFF/, "");
    this.#name = name;
  }

  readFile(): Hcl1Object {
    return { items: this.#readItems("") };
  }

  #readItems(end: "" | "}"): Hcl1Item[] {
    const items: Hcl1Item[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#peek() === end) return items;
      items.push(this.#readItem());
      this.#skipSpace();
      if (this.#peek() === ",") this.#at++;
    }
  }

  #readItem(): Hcl1Item {
    const line = this.#line();
    const keys = [this.#readKey()];
    for (;;) {
      this.#skipSpace();
      const next = this.#peek();
      if (next === "=") {
        this.#at++;
        if (keys.length > 1) this.#refuse(`${JSON.stringify(keys[0])} has a label, so it is a block, and must not have an equals sign`);
        return { keys, assigned: true, value: this.#readValue(), line };
      }
      if (next === "{") return { keys, assigned: false, value: this.#readValue(), line };
      keys.push(this.#readKey());
    }
  }

  #readKey(): string {
    if (this.#peek() === '"') return this.#readString();
    return this.#take(/[\p{L}_][\p{L}\p{Nd}_.-]*/uy) ?? this.#refuse(`expected a name, found ${this.#found()}`);
  }

  #readValue(): Hcl1Value {
    this.#skipSpace();
    const next = this.#peek();
    if (next === '"') return this.#readString();
    if (next === "[") return this.#nested(() => this.#readList());
    if (next === "{") {
      return this.#nested(() => {
        this.#at++;
        const items = this.#readItems("}");
        this.#at++;
        return { items };
      });
    }
    const heredoc = this.#readHeredoc();
    if (heredoc !== undefined) return heredoc;
    const number = this.#take(/-?(?:0x[0-9a-f]+|[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)(?![\p{L}\p{Nd}_.])/iuy);
    if (number !== undefined) return Number(number);
    const word = this.#take(/(?:true|false)(?![\p{L}\p{Nd}_.-])/uy);
    return word === undefined ? this.#refuse(`expected a value, found ${this.#found()}`) : word === "true";
  }

  #readList(): Hcl1Value[] {
    this.#at++;
    const values: Hcl1Value[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#peek() === "]") {
        this.#at++;
        return values;
      }
      values.push(this.#readValue());
      this.#skipSpace();
      if (this.#peek() === ",") this.#at++;
      else if (this.#peek() !== "]") this.#refuse(`expected a comma or the end of the list, found ${this.#found()}`);
    }
  }

  /** Reads a quoted string. The content of `${…}` is kept unchanged, quotes and line breaks included. */
  #readString(): string {
    const start = this.#at++;
    let text = "";
    let braces = 0;
    for (;;) {
      const character = this.#text[this.#at++];
      if (character === undefined || (character === "\n" && braces === 0)) {
        this.#at = start;
        this.#refuse("a quoted string is not closed");
      }
      if (braces > 0) {
        if (character === "{") braces++;
        if (character === "}") braces--;
        text += character;
      } else if (character === '"') {
        return text;
      } else if (character === "$" && this.#text[this.#at] === "{") {
        this.#at++;
        braces = 1;
        text += "${";
      } else {
        text += character === "\\" ? this.#readEscape() : character;
      }
    }
  }

  #readEscape(): string {
    const number = this.#take(/x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[0-7]{3}/iy);
    if (number !== undefined) {
      const code = /^[0-7]{3}$/.test(number) ? Number.parseInt(number, 8) : Number.parseInt(number.slice(1), 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : this.#refuse(`\\${number} is not a Unicode character`);
    }
    const character = this.#text[this.#at++] ?? "";
    return escapes.get(character) ?? this.#refuse(`invalid escape sequence \\${character}`);
  }

  #readHeredoc(): string | undefined {
    const start = this.#take(/<<-?[\p{L}\p{Nd}_]+\r?\n/uy);
    if (start === undefined) return undefined;
    const isIndented = start[2] === "-";
    const anchor = start.slice(isIndented ? 3 : 2).trimEnd();
    const lines: string[] = [];
    for (;;) {
      if (this.#at >= this.#text.length) this.#refuse(`the heredoc <<${anchor} is not closed`);
      const line = this.#take(/[^\n]*\n?/y) ?? "";
      if (line.trim() === anchor) break;
      lines.push(line);
    }
    // The line break after the anchor separates items.
    this.#at--;
    if (!isIndented) return lines.join("");
    const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
    const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
    return lines.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))).join("");
  }

  #nested<Result>(read: () => Result): Result {
    if (++this.#depth > maxDepth) this.#refuse(`it is nested more than ${maxDepth} levels deep`);
    const result = read();
    this.#depth--;
    return result;
  }

  #skipSpace(): void {
    this.#take(/(?:\s|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)+/y);
    if (this.#text.startsWith("/*", this.#at)) this.#refuse("a comment is not closed");
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }

  #found(): string {
    const character = this.#peek();
    return character === "" ? "the end of the file" : JSON.stringify(character);
  }

  #line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }

  #refuse(reason: string): never {
    throw new PluginHostError("INVALID_CLI_CONFIG", `${this.#name}, line ${this.#line()}: ${reason}`);
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ['"', '"'],
]);

function readJson(text: string, name: string): Hcl1Object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new PluginHostError("INVALID_CLI_CONFIG", `${name} is not valid JSON: ${cause instanceof Error ? cause.message : ""}`, { cause });
  }
  return fromJson(parsed, name, 0) as Hcl1Object;
}

function fromJson(value: unknown, name: string, depth: number): Hcl1Value {
  if (depth > maxDepth) throw new PluginHostError("INVALID_CLI_CONFIG", `${name} is nested more than ${maxDepth} levels deep`);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((element) => fromJson(element, name, depth + 1));
  if (value === null || typeof value !== "object") {
    throw new PluginHostError("INVALID_CLI_CONFIG", `${name} contains a null, which is invalid in a CLI configuration`);
  }
  const items = Object.entries(value).map(([key, element]): Hcl1Item => ({
    keys: [key],
    assigned: "json",
    value: fromJson(element, name, depth + 1),
    line: 0,
  }));
  return { items };
}
