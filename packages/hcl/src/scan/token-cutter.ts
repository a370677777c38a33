// SPDX-License-Identifier: Apache-2.0
import type { SourcePosition } from "../syntax/position.ts";
import { advanceOver } from "./column.ts";
import { escapedByte, type SourceText } from "./source-text.ts";
import { Kind, type TokenKind } from "./token-kind.ts";
import { Tokens, type TokenPlace } from "./tokens.ts";

/** Cuts tokens off a source, from its start on, and knows where each stands: in the string, in bytes, in lines and columns. */
export class TokenCutter {
  readonly source: SourceText;
  readonly text: string;
  readonly tokens: Tokens;
  /** Where the next token starts in the string. To skip spaces and tabs, and nothing else, it is moved on. */
  at: number;
  /** Of the token that is cut next; its end is where the one before it ended. */
  readonly #place: TokenPlace;

  constructor(source: SourceText, filename: string, start: SourcePosition) {
    this.source = source;
    this.text = source.text;
    this.tokens = new Tokens(source, filename);
    const hasMark = source.text.charCodeAt(0) === byteOrderMark;
    this.at = hasMark ? 1 : 0;
    const byte = start.byte + (hasMark ? 3 : 0);
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

  /** A token of ASCII characters without a newline. */
  cut(kind: TokenKind, end: number): void {
    const place = this.#begin();
    const length = end - this.at;
    place.endIndex = end;
    place.endByte += length;
    place.endColumn += length;
    this.tokens.push(kind, place);
    this.at = end;
  }

  /** A token that a newline ends, and that has no other in it. */
  cutLine(kind: TokenKind, end: number): void {
    const place = this.#begin();
    place.endIndex = end;
    place.endByte += this.source.isAscii ? end - this.at : this.source.byteLength(this.at, end);
    place.endLine += 1;
    place.endColumn = 1;
    this.tokens.push(kind, place);
    this.at = end;
  }

  /** Any token. */
  cutText(kind: TokenKind, end: number): void {
    const place = this.#begin();
    const start = this.at;
    const { lines, column } = advanceOver(this.text.slice(start, end), place.startColumn);
    place.endIndex = end;
    place.endByte += this.source.isAscii ? end - start : this.source.byteLength(start, end);
    place.endLine += lines;
    place.endColumn = column;
    this.tokens.push(kind, place);
    this.at = end;
  }

  /** One character, or one byte that is none. */
  cutCharacter(kind: TokenKind): void {
    const end = this.characterEnd(this.at);
    if (end < 0) this.cutText(Kind.BadUtf8, -end);
    else this.cutText(kind, end);
  }

  /** All that is left. */
  cutRest(kind: TokenKind): void {
    this.cutText(kind, this.text.length);
  }

  /** Where the character ends that starts here; negative for a byte that is no character, not even by the loosest rules. */
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

  /** Only ASCII spaces can lie between the token before and this one. */
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
