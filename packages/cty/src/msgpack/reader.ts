// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../ctystrings/normalize.ts";
import { Failure, malformed } from "../failure.ts";
import { maxDepth, mostUnknownElements, promisedTooMuch } from "../limits.ts";
import type { FastBuffer } from "./fast-buffer.ts";

/**
 * Text is made of so many bytes at once, and strings are cut out of it: one call into the engine instead of many. As such a
 * string keeps the text alive that it was cut from, there is a limit.
 */
const windowSize = 0x10000;
/** Longer strings are made by themselves. */
const longString = 0x400;

const nil = 0xc0;
/** Of lengths, by how far the code is from that of the shortest. */
const sizes = [1, 2, 4] as const;

/** Reads the tokens of msgpack. Every length is checked against the bytes that are there before anything is allocated. */
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

  /** The next byte, still unread. */
  peek(): number {
    if (this.position >= this.bytes.length) throw malformed("EOF");
    return this.bytes[this.position]!;
  }

  /** Reads null if it comes next, or nothing. */
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

  /** Counts elements that are there by promise only. */
  believe(elements: number): void {
    this.#promised += elements;
    if (this.#promised > mostUnknownElements) throw new Failure("LIMIT", promisedTooMuch);
  }

  /** Where so many bytes begin that are read with this. */
  take(size: number): number {
    const start = this.position;
    if (size > this.bytes.length - start) throw malformed("unexpected EOF");
    this.position = start + size;
    return start;
  }

  /** Reads true or false; undefined for anything else. */
  bool(): boolean | undefined {
    const code = this.uint8();
    return code === 0xc3 || (code === 0xc2 ? false : undefined);
  }

  uint8(): number {
    return this.bytes[this.take(1)]!;
  }

  /** A number in 1, 2 or 4 bytes, without a sign. */
  unsigned(size: 1 | 2 | 4): number {
    const at = this.take(size);
    return size === 1 ? this.bytes[at]! : size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  /** The length in the header of an array; -1, and nothing read, if there is none. */
  arrayLength(): number {
    return this.#count(0x90, 0xdc, 1);
  }

  /** The length in the header of a map; -1, and nothing read, if there is none. */
  mapLength(): number {
    return this.#count(0x80, 0xde, 2);
  }

  #count(short: number, long: number, bytesEach: number): number {
    const code = this.peek();
    const isShort = code >= short && code < short + 16;
    if (!isShort && code !== long && code !== long + 1) return -1;
    this.position++;
    const length = isShort ? code - short : this.unsigned(code === long ? 2 : 4);
    if (length * bytesEach > this.bytes.length - this.position) throw malformed("EOF");
    return length;
  }

  /** The length in the header of a string or byte string; -1, and nothing read, if there is none. */
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

  /** Text of the given size, as it is; what is not UTF-8 becomes U+FFFD. */
  text(length: number): string {
    const start = this.take(length);
    const end = start + length;
    return this.#isAscii(start, end) ? this.#ascii(start, end) : this.bytes.utf8Slice(start, end);
  }

  /** Text of the given size in normal form C, which ASCII always is. */
  normalText(length: number): string {
    const text = this.text(length);
    // Text that is not ASCII has fewer characters than bytes.
    return text.length === length ? text : normalizeString(text);
  }

  #isAscii(start: number, end: number): boolean {
    const { bytes } = this;
    let at = start;
    // Most strings are short. In long ones, eight bytes are looked at in one go.
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

  /** Bytes of the given size, not copied. */
  slice(length: number): Uint8Array {
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Reads the given bytes if they come next, or nothing. */
  skipIf(expected: Uint8Array): boolean {
    const start = this.position;
    const { length } = expected;
    if (length > this.bytes.length - start) return false;
    for (let index = 0; index < length; index++) if (this.bytes[start + index] !== expected[index]) return false;
    this.position = start + length;
    return true;
  }

  /** Reads the header of an extension: its type and size. */
  extension(): { readonly type: number; readonly length: number } {
    const code = this.uint8();
    const length = code >= 0xd4 && code <= 0xd8 ? 1 << (code - 0xd4) : this.unsigned(sizes[code - 0xc7]!);
    return { type: this.view.getInt8(this.take(1)), length };
  }
}

/** Does an extension begin with this byte? */
export function isExtension(code: number): boolean {
  return (code >= 0xd4 && code <= 0xd8) || (code >= 0xc7 && code <= 0xc9);
}
