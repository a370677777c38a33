// SPDX-License-Identifier: Apache-2.0
import { Failure, malformed } from "../failure.ts";
import { maxDepth } from "../limits.ts";

const plainText: RegExp = /[ !#-[\]-\uffff]*/y;
const escapeSequence: RegExp = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Reads JSON piece by piece: what it consists of, strings, and null. */
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

  /** The next character that is no space, still unread; empty at the end. */
  peek(): string {
    let code = this.text.charCodeAt(this.position);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.text.charCodeAt(++this.position);
    return this.text.charAt(this.position);
  }

  /** Does more follow? As in Go, closing brackets too many are overlooked. */
  hasMore(): boolean {
    return !["", "]", "}"].includes(this.peek());
  }

  unexpected(wanted: string): Failure {
    if (this.peek() === "") return malformed("unexpected end of JSON input");
    const character = String.fromCodePoint(this.text.codePointAt(this.position)!);
    return malformed(`invalid character ${JSON.stringify(character)} at offset ${this.position}, ${wanted} expected`);
  }

  /** Reads the given character, which must come next. */
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

  /** Reads an array, calling `element` in front of each element. */
  array(element: (index: number) => void): void {
    this.#sequence("[", "]", element);
  }

  /** Reads an object, calling `member` with each key, in front of its value. */
  object(member: (key: string) => void): void {
    this.#sequence("{", "}", () => {
      const key = this.string();
      this.expect(":");
      member(key);
    });
  }

  #sequence(open: string, close: string, item: (index: number) => void): void {
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
