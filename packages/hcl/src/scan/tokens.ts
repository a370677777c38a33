// SPDX-License-Identifier: Apache-2.0
import type { SourcePosition, SourceRange } from "../syntax/position.ts";
import type { SourceText } from "./source-text.ts";
import { Kind, type TokenKind } from "./token-kind.ts";

/** So many numbers describe where a token is. */
const stride = 8;
const startIndex = 0;
const endIndex = 1;
const startByte = 2;
const endByte = 3;
const startLine = 4;
const startColumn = 5;
const endLine = 6;
const endColumn = 7;

/** Where a token is, with offsets in the string as well. */
export interface TokenPlace {
  startIndex: number;
  endIndex: number;
  startByte: number;
  endByte: number;
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

/**
 * The tokens of a source in order, held as numbers because there are many. The last one is always `Eof`. Between two tokens
 * there is nothing but spaces and tabs.
 */
export class Tokens {
  readonly source: SourceText;
  readonly filename: string;
  #kinds: Uint8Array;
  #places: Int32Array;
  #count = 0;
  #hasInvalid = false;

  constructor(source: SourceText, filename: string) {
    this.source = source;
    this.filename = filename;
    const expected = 64 + (source.text.length >>> 2);
    this.#kinds = new Uint8Array(expected);
    this.#places = new Int32Array(expected * stride);
  }

  get count(): number {
    return this.#count;
  }

  /** Is there any token that no part of the language has? */
  get hasInvalid(): boolean {
    return this.#hasInvalid;
  }

  push(kind: TokenKind, place: TokenPlace): void {
    const index = this.#count++;
    if (index === this.#kinds.length) this.#grow();
    this.#kinds[index] = kind;
    if (kind >= Kind.BitwiseAnd) this.#hasInvalid = true;
    const places = this.#places;
    const at = index * stride;
    places[at + startIndex] = place.startIndex;
    places[at + endIndex] = place.endIndex;
    places[at + startByte] = place.startByte;
    places[at + endByte] = place.endByte;
    places[at + startLine] = place.startLine;
    places[at + startColumn] = place.startColumn;
    places[at + endLine] = place.endLine;
    places[at + endColumn] = place.endColumn;
  }

  #grow(): void {
    const kinds = new Uint8Array(this.#kinds.length * 2);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
    const places = new Int32Array(kinds.length * stride);
    places.set(this.#places);
    this.#places = places;
  }

  kind(index: number): TokenKind {
    return this.#kinds[index] as TokenKind;
  }

  /** The token as it is written. */
  text(index: number): string {
    const at = index * stride;
    return this.source.slice(this.#places[at + startIndex]!, this.#places[at + endIndex]!);
  }

  /** Where the token's text starts in the source's string. */
  startIndex(index: number): number {
    return this.#places[index * stride + startIndex]!;
  }

  endIndex(index: number): number {
    return this.#places[index * stride + endIndex]!;
  }

  /** How many columns a token takes that ends in the line it starts in; undefined for others. */
  width(index: number): number | undefined {
    const at = index * stride;
    if (this.#places[at + startLine] !== this.#places[at + endLine]) return undefined;
    return this.#places[at + endColumn]! - this.#places[at + startColumn]!;
  }

  startColumn(index: number): number {
    return this.#places[index * stride + startColumn]!;
  }

  start(index: number): SourcePosition {
    const at = index * stride;
    return { line: this.#places[at + startLine]!, column: this.#places[at + startColumn]!, byte: this.#places[at + startByte]! };
  }

  end(index: number): SourcePosition {
    const at = index * stride;
    return { line: this.#places[at + endLine]!, column: this.#places[at + endColumn]!, byte: this.#places[at + endByte]! };
  }

  range(index: number): SourceRange {
    return { filename: this.filename, start: this.start(index), end: this.end(index) };
  }

  /** From the start of one token to the end of another. */
  between(first: number, last: number): SourceRange {
    return { filename: this.filename, start: this.start(first), end: this.end(last) };
  }

  /** From the start of a range to the end of a token. Many share their end with something inside, whose position is then taken. */
  upTo(first: SourceRange, last: number, likelyEnd: SourcePosition): SourceRange {
    const isSame = this.#places[last * stride + endByte] === likelyEnd.byte;
    return { filename: this.filename, start: first.start, end: isSame ? likelyEnd : this.end(last) };
  }

  isComment(index: number): boolean {
    const kind = this.#kinds[index];
    return kind === Kind.Comment || kind === Kind.LineComment;
  }
}
