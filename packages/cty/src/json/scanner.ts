// SPDX-License-Identifier: Apache-2.0
import { Failure, malformed } from "../codec/failure.ts";
import { maxDepth } from "../error/limits.ts";

const plainText: RegExp = /[ !#-[\]-\uffff]*/y;
const escapeSequence: RegExp = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Reads JSON token by token: structure, strings, and literals. */
export class Scanner {
  readonly text: string;
  position = 0;
  depth = 0;

  constructor(text: string) {
    // A lone surrogate must not combine with one from an escape sequence.
    this.text = text.toWellFormed();
  }

  enter(): void {
    if (++this.depth > maxDepth) throw new Failure("LIMIT", `nested more than ${maxDepth} levels deep`);
  }

  leave(): void {
    this.depth--;
  }

  /** Returns the next character that is not white space, without reading it; empty at the end. */
  peek(): string {
    let code = this.text.charCodeAt(this.position);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.text.charCodeAt(++this.position);
    return this.text.charAt(this.position);
  }

  /** Whether more text follows. As in Go, extra closing brackets are ignored. */
  hasMore(): boolean {
    return !["", "]", "}"].includes(this.peek());
  }

  /** Returns the error for a character, or the end of the text, where something else was expected. */
  unexpected(wanted: string): Failure {
    if (this.peek() === "") return malformed("unexpected end of JSON input");
    const character = String.fromCodePoint(this.text.codePointAt(this.position)!);
    return malformed(`invalid character ${JSON.stringify(character)} at offset ${this.position}, ${wanted} expected`);
  }

  /** Reads the given character. @throws Failure if another character comes next. */
  expect(character: string): void {
    if (this.peek() !== character) throw this.unexpected(character);
    this.position++;
  }

  /** Reads `true`, `false` or `null`. */
  literal(word: "true" | "false" | "null"): void {
    this.peek();
    if (!this.text.startsWith(word, this.position)) throw this.unexpected(word);
    this.position += word.length;
  }

  string(): string {
    this.expect('"');
    const { text } = this;
    let result = "";
    for (;;) {
      plainText.lastIndex = this.position;
      plainText.test(text);
      const end = plainText.lastIndex;
      result += text.slice(this.position, end);
      this.position = end + 1;
      if (text[end] === '"') return result.toWellFormed();
      escapeSequence.lastIndex = this.position = end;
      if (!escapeSequence.test(text)) throw this.unexpected(text[end] === "\\" ? "an escape sequence" : "the end of a string");
      result += JSON.parse(`"${text.slice(end, escapeSequence.lastIndex)}"`) as string;
      this.position = escapeSequence.lastIndex;
    }
  }

  /** Reads an array and calls `element` before each element. */
  array(element: (index: number) => void): void {
    this.sequence("[", "]", element);
  }

  /** Reads an object and calls `member` with each key, before its value. */
  object(member: (key: string) => void): void {
    this.sequence("{", "}", () => {
      const key = this.string();
      this.expect(":");
      member(key);
    });
  }

  /** Reads items separated by commas between an opening and a closing character, and calls `item` before each. */
  sequence(open: string, close: string, item: (index: number) => void): void {
    this.expect(open);
    this.enter();
    let next = this.peek();
    for (let index = 0; next !== close; index++) {
      if (index > 0) this.expect(",");
      item(index);
      next = this.peek();
      if (next !== "," && next !== close) throw this.unexpected(`, or ${close}`);
    }
    this.position++;
    this.leave();
  }
}
