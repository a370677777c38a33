// SPDX-License-Identifier: Apache-2.0
/*
 * Splits JSON into tokens. A malformed string, number or keyword becomes one token, for better errors of the parser. Columns count
 * as in the Go library: two for a tab, none for a carriage return.
 */
import { advanceOver } from "../scan/column.ts";
import { SourceText } from "../scan/source-text.ts";
import type { SourcePosition, SourceRange } from "../syntax/position.ts";

/** A lexical token of JSON. */
export interface JsonToken {
  readonly kind: "{" | "}" | "[" | "]" | "," | ":" | "=" | "string" | "number" | "keyword" | "invalid" | "end";
  /** Source text, with invalid UTF-8 bytes as lone surrogates (see SourceText). */
  readonly text: string;
  readonly range: SourceRange;
}

/** Splits a JSON text into tokens. The last one is `end`; scanning stops after an invalid token. */
export function scanJson(source: string | Uint8Array, filename: string, start: SourcePosition): readonly JsonToken[] {
  return new JsonScanner(new SourceText(source), filename, start).scan();
}

const punctuation = new Set(["{", "}", "[", "]", ",", ":", "="]);
const numberPart = /[-+.eE0-9]*/y;
const keywordPart = /[A-Za-z_]*/y;
/** First character after plain text in a string. */
// oxlint-disable-next-line no-control-regex -- control characters end plain text
const notPlain = /["\\\u0000-\u001f]/g;

class JsonScanner {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #filename: string;
  readonly #tokens: JsonToken[] = [];
  #at = 0;
  #line: number;
  #column: number;
  #byte: number;

  constructor(source: SourceText, filename: string, start: SourcePosition) {
    this.#source = source;
    this.#text = source.text;
    this.#filename = filename;
    this.#line = start.line;
    this.#column = start.column;
    this.#byte = start.byte;
  }

  scan(): readonly JsonToken[] {
    for (;;) {
      this.#skipSpace();
      const character = this.#text[this.#at];
      if (character === undefined) break;
      const start = this.#position();
      const index = this.#at;
      if (punctuation.has(character)) {
        this.#move(1);
        this.#push(character as JsonToken["kind"], index, start);
      } else if (character === '"') {
        this.#moveOverString();
        this.#push("string", index, start);
      } else if (/[-+.0-9]/.test(character)) {
        this.#moveOver(numberPart);
        this.#push("number", index, start);
      } else if (/[A-Za-z]/.test(character)) {
        this.#moveOver(keywordPart);
        this.#push("keyword", index, start);
      } else {
        this.#move(1);
        this.#push("invalid", index, start);
        break;
      }
    }
    this.#push("end", this.#at, this.#position());
    return this.#tokens;
  }

  #position(): SourcePosition {
    return { line: this.#line, column: this.#column, byte: this.#byte };
  }

  #push(kind: JsonToken["kind"], index: number, start: SourcePosition): void {
    const range = { filename: this.#filename, start, end: this.#position() };
    this.#tokens.push({ kind, text: this.#text.slice(index, this.#at), range });
  }

  /** Moves over characters of one byte and one column. For an invalid character, the first byte is enough to locate it. */
  #move(count: number): void {
    this.#at += count;
    this.#column += count;
    this.#byte += count;
  }

  #moveOver(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#move(pattern.exec(this.#text)![0].length);
  }

  #skipSpace(): void {
    for (;;) {
      switch (this.#text[this.#at]) {
        case " ":
          this.#column += 1;
          break;
        case "\n":
          this.#line += 1;
          this.#column = 1;
          break;
        case "\t":
          this.#column += 2;
          break;
        case "\r":
          break;
        default:
          return;
      }
      this.#at += 1;
      this.#byte += 1;
    }
  }

  /** Moves past the closing quote, or to the end of the line. */
  #moveOverString(): void {
    this.#move(1);
    let escaping = false;
    for (;;) {
      notPlain.lastIndex = this.#at;
      const end = notPlain.exec(this.#text)?.index ?? this.#text.length;
      if (end > this.#at) {
        this.#moveOverText(end);
        escaping = false;
        continue;
      }
      const character = this.#text[this.#at];
      if (character === "\\") escaping = !escaping;
      else if (character !== '"') return;
      this.#move(1);
      if (character === '"') {
        if (!escaping) return;
        escaping = false;
      }
    }
  }

  /**
   * Moves over text by grapheme clusters. In the Go library, a character that joins the next one, such as U+0600, includes the
   * closing quote.
   */
  #moveOverText(end: number): void {
    this.#column += this.#source.isAscii ? end - this.#at : advanceOver(this.#text.slice(this.#at, end), 0).column;
    this.#byte += this.#source.byteLength(this.#at, end);
    this.#at = end;
  }
}
