// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../ctystrings/normalize.ts";
import { Failure } from "../failure.ts";
import type { FastBuffer } from "./fast-buffer.ts";

/** So deep may values nest in bytes and text from elsewhere: far more than people write, far less than the stack holds. */
export const maxDepth = 1000;

/**
 * Text is made of so many bytes at once, and strings are cut out of it: one call into the engine instead of many. As such a
 * string keeps the text alive that it was cut from, there is a limit.
 */
const windowSize = 0x10000;
/** Longer strings are made by themselves. */
const longString = 0x400;

const nil = 0xc0;

/** Reads the tokens of msgpack. Every length is checked against the bytes that are there before anything is allocated. */
export class Reader {
  readonly bytes: FastBuffer;
  position = 0;
  depth = 0;
  readonly #view: DataView;
  #window: string = "";
  #windowStart = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as unknown as FastBuffer;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next byte, still unread. */
  peek(): number {
    if (this.position >= this.bytes.length) throw new Failure("MALFORMED", "EOF");
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

  #take(size: number): number {
    const start = this.position;
    if (size > this.bytes.length - start) throw new Failure("MALFORMED", "unexpected EOF");
    this.position = start + size;
    return start;
  }

  uint8(): number {
    return this.bytes[this.#take(1)]!;
  }
  uint16(): number {
    return this.#view.getUint16(this.#take(2));
  }
  uint32(): number {
    return this.#view.getUint32(this.#take(4));
  }
  uint64(): bigint {
    return this.#view.getBigUint64(this.#take(8));
  }
  int8(): number {
    return this.#view.getInt8(this.#take(1));
  }
  int16(): number {
    return this.#view.getInt16(this.#take(2));
  }
  int32(): number {
    return this.#view.getInt32(this.#take(4));
  }
  int64(): bigint {
    return this.#view.getBigInt64(this.#take(8));
  }
  float32(): number {
    return this.#view.getFloat32(this.#take(4));
  }
  float64(): number {
    return this.#view.getFloat64(this.#take(8));
  }

  /** The length in the header of an array; -1, and nothing read, if there is none. */
  arrayLength(): number {
    const code = this.peek();
    if (code >= 0x90 && code <= 0x9f) {
      this.position++;
      return this.#plausible(code & 0x0f, 1);
    }
    if (code !== 0xdc && code !== 0xdd) return -1;
    this.position++;
    return this.#plausible(code === 0xdc ? this.uint16() : this.uint32(), 1);
  }

  /** The length in the header of a map; -1, and nothing read, if there is none. */
  mapLength(): number {
    const code = this.peek();
    if (code >= 0x80 && code <= 0x8f) {
      this.position++;
      return this.#plausible(code & 0x0f, 2);
    }
    if (code !== 0xde && code !== 0xdf) return -1;
    this.position++;
    return this.#plausible(code === 0xde ? this.uint16() : this.uint32(), 2);
  }

  #plausible(length: number, bytesEach: number): number {
    if (length * bytesEach > this.bytes.length - this.position) throw new Failure("MALFORMED", "EOF");
    return length;
  }

  /** The length in the header of a string or byte string; -1, and nothing read, if there is none. */
  textLength(): number {
    const code = this.peek();
    if (code >= 0xa0 && code <= 0xbf) {
      this.position++;
      return code & 0x1f;
    }
    switch (code) {
      case 0xd9:
      case 0xc4:
        this.position++;
        return this.uint8();
      case 0xda:
      case 0xc5:
        this.position++;
        return this.uint16();
      case 0xdb:
      case 0xc6:
        this.position++;
        return this.uint32();
      default:
        return -1;
    }
  }

  /** Text of the given size, as it is; what is not UTF-8 becomes U+FFFD. */
  text(length: number): string {
    const start = this.#take(length);
    const end = start + length;
    return this.#isAscii(start, end) ? this.#ascii(start, end) : this.bytes.utf8Slice(start, end);
  }

  /** Text of the given size in normal form C, which ASCII always is. */
  normalText(length: number): string {
    const start = this.#take(length);
    const end = start + length;
    return this.#isAscii(start, end) ? this.#ascii(start, end) : normalizeString(this.bytes.utf8Slice(start, end));
  }

  #isAscii(start: number, end: number): boolean {
    const { bytes } = this;
    let at = start;
    // Most strings are short. In long ones, eight bytes are looked at in one go.
    const view = this.#view;
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
    const start = this.#take(length);
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
    const length =
      code >= 0xd4 && code <= 0xd8 ? 1 << (code - 0xd4) : code === 0xc7 ? this.uint8() : code === 0xc8 ? this.uint16() : this.uint32();
    return { type: this.int8(), length };
  }
}

/** Does an extension begin with this byte? */
export function isExtension(code: number): boolean {
  return (code >= 0xd4 && code <= 0xd8) || (code >= 0xc7 && code <= 0xc9);
}
