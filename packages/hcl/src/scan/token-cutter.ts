// SPDX-License-Identifier: Apache-2.0
import type { SourcePosition } from "../syntax/position.ts";
import { advanceOver } from "./column.ts";
import { escapedByte, type SourceText } from "./source-text.ts";
import { Kind, type TokenKind } from "./token-kind.ts";
import { Tokens, type TokenPlace } from "./tokens.ts";

/** Cuts tokens off the start of a source, and tracks string offset, byte offset, line and column. */
export class TokenCutter {
  readonly source: SourceText;
  readonly text: string;
  readonly tokens: Tokens;
  /** String offset of the next token. The scanner moves it to skip spaces and tabs, and nothing else. */
  at: number;
  /** Place of the current token. Before the token is cut, `end` is the end of the previous token. */
  readonly #place: TokenPlace;

  constructor(source: SourceText, filename: string, start: SourcePosition) {
    this.source = source;
    this.text = source.text;
    const hasMark = source.text.charCodeAt(0) === byteOrderMark;
    this.at = hasMark ? 1 : 0;
    const byte = start.byte + (hasMark ? 3 : 0);
    this.tokens = new Tokens(source, filename, { line: start.line, column: start.column, byte });
    this.#place = {
      startIndex: this.at,
      endIndex: this.at,
      startByte: byte,
      endByte: byte,
      startLine: start.line,
      startColumn: start.column,
      endLine: start.line,
      endColumn: start.column,
    };
  }

  /** Cuts a token of ASCII characters without a newline. */
  cut(kind: TokenKind, end: number): void {
    const place = this.#begin();
    const length = end - this.at;
    place.endIndex = end;
    place.endByte += length;
    place.endColumn += length;
    this.tokens.push(kind, place);
    this.at = end;
  }

  /** Cuts a token whose only newline is at its end. */
  cutLine(kind: TokenKind, end: number): void {
    const place = this.#begin();
    place.endIndex = end;
    place.endByte += this.source.isAscii ? end - this.at : this.source.byteLength(this.at, end);
    place.endLine += 1;
    place.endColumn = 1;
    this.tokens.positions.add(place.endByte, place.endLine, 1);
    this.tokens.push(kind, place);
    this.at = end;
  }

  /** Cuts a token of any characters. */
  cutText(kind: TokenKind, end: number): void {
    const place = this.#begin();
    const start = this.at;
    const { lines, column } = advanceOver(this.text.slice(start, end), place.startColumn);
    place.endIndex = end;
    place.endByte += this.source.isAscii ? end - start : this.source.byteLength(start, end);
    place.endLine += lines;
    place.endColumn = column;
    const isPlain = lines === 0 && column - place.startColumn === place.endByte - place.startByte;
    if (!isPlain) this.tokens.positions.add(place.endByte, place.endLine, column);
    this.tokens.push(kind, place);
    this.at = end;
  }

  /** Cuts one character, or one invalid byte. */
  cutCharacter(kind: TokenKind): void {
    const end = this.characterEnd(this.at);
    if (end < 0) this.cutText(Kind.BadUtf8, -end);
    else this.cutText(kind, end);
  }

  /** Cuts the rest of the source. */
  cutRest(kind: TokenKind): void {
    this.cutText(kind, this.text.length);
  }

  /** End of the character at an offset; negated for a byte that cannot start a character. */
  characterEnd(at: number): number {
    const unit = this.text.charCodeAt(at);
    const byte = this.source.isBroken ? escapedByte(unit) : undefined;
    if (byte === undefined) return unit >= 0xd800 && unit <= 0xdbff ? at + 2 : at + 1;
    const length = byte >= 0xf8 || byte < 0xc0 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    for (let offset = 1; offset < length; offset++) {
      const next = escapedByte(this.text.charCodeAt(at + offset)) ?? 0;
      if ((next & 0xc0) !== 0x80) return -(at + 1);
    }
    return length === 0 ? -(at + 1) : at + length;
  }

  /** Sets the start of the current token. Only spaces and tabs precede it, so bytes and columns advance by the same number. */
  #begin(): TokenPlace {
    const place = this.#place;
    const skipped = this.at - place.endIndex;
    place.startIndex = this.at;
    place.startByte = place.endByte += skipped;
    place.startColumn = place.endColumn += skipped;
    place.startLine = place.endLine;
    return place;
  }
}

const byteOrderMark = 0xfeff;
