// SPDX-License-Identifier: Apache-2.0
import type { SourcePosition } from "../syntax/position.ts";
import { PackedRange } from "../syntax/packed-range.ts";
import { PositionTable } from "../syntax/position-table.ts";
import type { SourceText } from "./source-text.ts";
import { Kind, type TokenKind } from "./token-kind.ts";

/** Numbers stored for each token: the fields of {@link TokenPlace}. */
const stride = 8;
const startIndex = 0;
const endIndex = 1;
const startByte = 2;
const endByte = 3;
const startLine = 4;
const startColumn = 5;
const endLine = 6;
const endColumn = 7;

/** Place of a token: offsets in the string and in bytes, lines and columns. */
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
 * The tokens of a source in order, in typed arrays to save memory. The last token is always `Eof`. Only spaces and tabs lie
 * between two tokens.
 */
export class Tokens {
  readonly source: SourceText;
  readonly filename: string;
  /** Table from which ranges of the source compute their positions. */
  readonly positions: PositionTable;
  readonly #names = new Map<string, string>();
  #kinds: Uint8Array;
  #places: Int32Array;
  #count = 0;
  #hasInvalid = false;

  constructor(source: SourceText, filename: string, start: SourcePosition) {
    this.source = source;
    this.filename = filename;
    this.positions = new PositionTable(filename, start, 16 + (source.text.length >>> 5));
    const expected = 64 + (source.text.length >>> 2);
    this.#kinds = new Uint8Array(expected);
    this.#places = new Int32Array(expected * stride);
  }

  get count(): number {
    return this.#count;
  }

  /** Whether any token is not part of the language. */
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

  /** Source text of a token. */
  text(index: number): string {
    const at = index * stride;
    return this.source.slice(this.#places[at + startIndex]!, this.#places[at + endIndex]!);
  }

  /** Source text of a name. Equal names share one string, to save memory. */
  name(index: number): string {
    const text = this.text(index);
    const known = this.#names.get(text);
    if (known === undefined) this.#names.set(text, text);
    return known ?? text;
  }

  /** String offset of a token's start. */
  startIndex(index: number): number {
    return this.#places[index * stride + startIndex]!;
  }

  /** String offset of a token's end. */
  endIndex(index: number): number {
    return this.#places[index * stride + endIndex]!;
  }

  /** Number of columns of a token in a single line; undefined for a token over several lines. */
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

  range(index: number): PackedRange {
    const at = index * stride;
    return new PackedRange(this.positions, this.#places[at + startByte]!, this.#places[at + endByte]!);
  }

  /** Range from the start of one token to the end of another. */
  between(first: number, last: number): PackedRange {
    return new PackedRange(this.positions, this.#places[first * stride + startByte]!, this.#places[last * stride + endByte]!);
  }

  isComment(index: number): boolean {
    const kind = this.#kinds[index];
    return kind === Kind.Comment || kind === Kind.LineComment;
  }
}
