// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../text/normalize.ts";
import { Failure, malformed } from "../codec/failure.ts";
import { maxDepth, maxUnknownElements, unknownElementsMessage } from "../error/limits.ts";
import type { FastBuffer } from "./fast-buffer.ts";

/**
 * Number of bytes that are converted to text at once. Short strings are slices of that text, which saves calls into the engine. A
 * slice keeps the whole text in memory, hence the limit.
 */
const windowSize = 0x10000;
/** Strings longer than this are converted one by one. */
const longString = 0x400;

const nil = 0xc0;
/** Number of bytes of a length, by the distance of its code from the code of the shortest form. */
const sizes = [1, 2, 4] as const;

/** Reads the tokens of msgpack. Nothing is allocated for a length that the remaining bytes cannot hold. */
export class Reader {
  readonly bytes: FastBuffer;
  position = 0;
  depth = 0;
  #promised = 0;
  readonly view: DataView;
  #window: string = "";
  #windowStart = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as unknown as FastBuffer;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Returns the next byte without reading it. */
  peek(): number {
    if (this.position >= this.bytes.length) throw malformed("EOF");
    return this.bytes[this.position]!;
  }

  /** Reads null if it comes next. Returns whether it did. */
  skipNull(): boolean {
    if (this.peek() !== nil) return false;
    this.position++;
    return true;
  }

  enter(): void {
    if (++this.depth > maxDepth) throw new Failure("LIMIT", `nested more than ${maxDepth} levels deep`);
  }

  leave(): void {
    this.depth--;
  }

  /** Counts the unknown elements that a refinement promises, and limits their total in one input. */
  reserve(elements: number): void {
    this.#promised += elements;
    if (this.#promised > maxUnknownElements) throw new Failure("LIMIT", unknownElementsMessage);
  }

  /** Reads the given number of bytes and returns the position of the first. */
  take(size: number): number {
    const start = this.position;
    if (size > this.bytes.length - start) throw malformed("unexpected EOF");
    this.position = start + size;
    return start;
  }

  /** Reads a boolean; returns undefined for anything else. */
  bool(): boolean | undefined {
    const code = this.uint8();
    return code === 0xc3 || (code === 0xc2 ? false : undefined);
  }

  /** Reads one byte. */
  uint8(): number {
    return this.bytes[this.take(1)]!;
  }

  /** Reads an unsigned integer of 1, 2 or 4 bytes. */
  unsigned(size: 1 | 2 | 4): number {
    const at = this.take(size);
    return size === 1 ? this.bytes[at]! : size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  /**
   * Reads the header of an array and returns its length. Returns -1, without advancing, if the next value is not an array or its
   * header is truncated. The length may be larger than the number of bytes that follow: allocate as elements are read.
   */
  arrayLength(): number {
    return this.#count(0x90, 0xdc);
  }

  /** Reads the header of a map and returns its length, as {@link arrayLength} does for arrays. */
  mapLength(): number {
    return this.#count(0x80, 0xde);
  }

  #count(short: number, long: number): number {
    const code = this.peek();
    if (code >= short && code < short + 16) {
      this.position++;
      return code - short;
    }
    const size = code === long ? 2 : code === long + 1 ? 4 : 0;
    if (size === 0 || size >= this.bytes.length - this.position) return -1;
    this.position++;
    return this.unsigned(size);
  }

  /** Reads the header of a string or byte string and returns its length. Returns -1, without advancing, for anything else. */
  textLength(): number {
    const code = this.peek();
    if (code >= 0xa0 && code <= 0xbf) {
      this.position++;
      return code & 0x1f;
    }
    const width = code >= 0xc4 && code <= 0xc6 ? code - 0xc4 : code - 0xd9;
    if (width < 0 || width > 2) return -1;
    this.position++;
    return this.unsigned(sizes[width]!);
  }

  /** Reads text of the given number of bytes. Invalid UTF-8 becomes U+FFFD. */
  text(length: number): string {
    const start = this.take(length);
    const end = start + length;
    return this.#isAscii(start, end) ? this.#ascii(start, end) : this.bytes.utf8Slice(start, end);
  }

  /** Reads text of the given number of bytes and returns it in normal form C. */
  normalText(length: number): string {
    const text = this.text(length);
    // Text that is not ASCII has fewer UTF-16 units than bytes. ASCII is always in normal form C.
    return text.length === length ? text : normalizeString(text);
  }

  #isAscii(start: number, end: number): boolean {
    const { bytes } = this;
    let at = start;
    // Most strings are short. Long strings are checked eight bytes at a time.
    const view = this.view;
    for (; end - at >= 16; at += 8) if (((view.getUint32(at) | view.getUint32(at + 4)) & 0x80808080) !== 0) return false;
    for (; at < end; at++) if (bytes[at]! >= 0x80) return false;
    return true;
  }

  #ascii(start: number, end: number): string {
    const from = start - this.#windowStart;
    if (from >= 0 && from + end - start <= this.#window.length) return this.#window.slice(from, from + end - start);
    if (end - start > longString) return this.bytes.latin1Slice(start, end);
    this.#windowStart = start;
    this.#window = this.bytes.latin1Slice(start, Math.min(start + windowSize, this.bytes.length));
    return this.#window.slice(0, end - start);
  }

  /** Reads the given number of bytes, without copying them. */
  slice(length: number): Uint8Array {
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Reads the given bytes if they come next. Returns whether they did. */
  skipIf(expected: Uint8Array): boolean {
    const start = this.position;
    const { length } = expected;
    if (length > this.bytes.length - start) return false;
    for (let index = 0; index < length; index++) if (this.bytes[start + index] !== expected[index]) return false;
    this.position = start + length;
    return true;
  }

  /** Reads the header of an extension and returns its type and length in bytes. */
  extension(): { readonly type: number; readonly length: number } {
    const code = this.uint8();
    const length = code >= 0xd4 && code <= 0xd8 ? 1 << (code - 0xd4) : this.unsigned(sizes[code - 0xc7]!);
    return { type: this.view.getInt8(this.take(1)), length };
  }
}

/** Whether the byte starts an extension. */
export function isExtension(code: number): boolean {
  return (code >= 0xd4 && code <= 0xd8) || (code >= 0xc7 && code <= 0xc9);
}
