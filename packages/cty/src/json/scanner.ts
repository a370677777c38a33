// SPDX-License-Identifier: Apache-2.0
import { Failure } from "../failure.ts";

const escapes: Readonly<Record<string, string>> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const numberGrammar: RegExp = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const plainText: RegExp = /[ !#-[\]-\uffff]*/y;
const fourHexDigits: RegExp = /^[0-9a-fA-F]{4}$/;

/** So deep may values nest in text from elsewhere. */
export const maxDepth = 1000;

/** What can come next in JSON text. */
export type Token = "{" | "[" | '"' | "number" | "true" | "false" | "null" | "end" | "other";

/** Reads JSON piece by piece, numbers as the text they are written in: `JSON.parse` loses their digits. */
export class Scanner {
  readonly text: string;
  position = 0;
  depth = 0;

  constructor(text: string) {
    // Halves of surrogate pairs must not find their other halves in escape sequences.
    this.text = text.toWellFormed();
  }

  enter(): void {
    if (++this.depth > maxDepth) throw new Failure("LIMIT", `nested more than ${maxDepth} levels deep`);
  }

  leave(): void {
    this.depth--;
  }

  #skipSpace(): number {
    let code = this.text.charCodeAt(this.position);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.text.charCodeAt(++this.position);
    return code;
  }

  /** What comes next, still unread. */
  peek(): Token {
    const code = this.#skipSpace();
    switch (code) {
      case 0x7b:
        return "{";
      case 0x5b:
        return "[";
      case 0x22:
        return '"';
      case 0x74:
        return "true";
      case 0x66:
        return "false";
      case 0x6e:
        return "null";
      default:
        if (Number.isNaN(code)) return "end";
        return code === 0x2d || (code >= 0x30 && code <= 0x39) ? "number" : "other";
    }
  }

  /** Does more follow? As in Go, closing brackets too many are overlooked. */
  hasMore(): boolean {
    if (this.peek() === "end") return false;
    const next = this.text[this.position];
    return next !== "]" && next !== "}";
  }

  unexpected(wanted: string): Failure {
    this.#skipSpace();
    if (this.position >= this.text.length) return new Failure("MALFORMED", "unexpected end of JSON input");
    const character = String.fromCodePoint(this.text.codePointAt(this.position)!);
    return new Failure("MALFORMED", `invalid character ${JSON.stringify(character)} at offset ${this.position}, ${wanted} expected`);
  }

  /** Reads `true`, `false` or `null`. */
  literal(word: "true" | "false" | "null"): void {
    this.#skipSpace();
    if (!this.text.startsWith(word, this.position)) throw this.unexpected(word);
    this.position += word.length;
  }

  number(): string {
    this.#skipSpace();
    numberGrammar.lastIndex = this.position;
    const match = numberGrammar.exec(this.text);
    if (match === null) throw this.unexpected("a number");
    this.position = numberGrammar.lastIndex;
    // A fraction or exponent was begun and has no digits.
    const next = this.text[this.position];
    const mayHaveExponent = match[2] === undefined;
    if (mayHaveExponent && (next === "e" || next === "E" || (next === "." && match[1] === undefined))) {
      this.position++;
      throw this.unexpected("a digit");
    }
    return match[0];
  }

  string(): string {
    if (this.#skipSpace() !== 0x22) throw this.unexpected("a string");
    this.position++;
    let result = "";
    for (;;) {
      plainText.lastIndex = this.position;
      plainText.test(this.text);
      const end = plainText.lastIndex;
      result += this.text.slice(this.position, end);
      this.position = end;
      const code = this.text.charCodeAt(end);
      if (code === 0x22) {
        this.position++;
        return result.toWellFormed();
      }
      if (code !== 0x5c) throw this.unexpected("the end of a string");
      result += this.#escape();
    }
  }

  #escape(): string {
    const kind = this.text[this.position + 1];
    if (kind === "u") {
      const hex = this.text.slice(this.position + 2, this.position + 6);
      if (!fourHexDigits.test(hex)) throw this.unexpected("an escape sequence");
      this.position += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const character = kind === undefined ? undefined : escapes[kind];
    if (character === undefined) throw this.unexpected("an escape sequence");
    this.position += 2;
    return character;
  }

  /** Reads an array, calling `element` in front of each element. */
  array(element: (index: number) => void): void {
    if (this.#skipSpace() !== 0x5b) throw this.unexpected("[");
    this.position++;
    this.enter();
    if (this.#skipSpace() === 0x5d) this.position++;
    else {
      for (let index = 0; ; index++) {
        element(index);
        if (this.#separator(0x5d)) break;
      }
    }
    this.leave();
  }

  /** Reads an object, calling `member` with each key, in front of its value. */
  object(member: (key: string) => void): void {
    if (this.#skipSpace() !== 0x7b) throw this.unexpected("{");
    this.position++;
    this.enter();
    if (this.#skipSpace() === 0x7d) this.position++;
    else {
      for (;;) {
        const key = this.string();
        if (this.#skipSpace() !== 0x3a) throw this.unexpected(":");
        this.position++;
        member(key);
        if (this.#separator(0x7d)) break;
      }
    }
    this.leave();
  }

  /** Reads a comma, or the end of an array or object: is it that? */
  #separator(end: number): boolean {
    const code = this.#skipSpace();
    if (code !== end && code !== 0x2c) throw this.unexpected(`, or ${String.fromCharCode(end)}`);
    this.position++;
    return code === end;
  }

  /** Reads a value and forgets it. */
  skip(): void {
    const token = this.peek();
    switch (token) {
      case "{":
        this.object(() => this.skip());
        return;
      case "[":
        this.array(() => this.skip());
        return;
      case '"':
        this.string();
        return;
      case "number":
        this.number();
        return;
      case "true":
      case "false":
      case "null":
        this.literal(token);
        return;
      default:
        throw this.unexpected("a value");
    }
  }
}
