// SPDX-License-Identifier: Apache-2.0
import type { FastBuffer } from "./fast-buffer.ts";

/** Size of the buffer, equal to Node's pool for small buffers. Results of at most half this size are returned without a copy. */
const slabSize = 8192;
/** A buffer that has grown beyond this size is released. */
const largestKept = 1 << 20;
const shortString = 24;

function allocate(size: number): FastBuffer {
  return Buffer.allocUnsafeSlow(size) as unknown as FastBuffer;
}

/** Writes the tokens of msgpack, each in its shortest form, into a buffer that grows. */
export class Writer {
  #bytes: FastBuffer = allocate(slabSize);
  #view: DataView = new DataView(this.#bytes.buffer);
  /** Start of the bytes that have not been returned. The bytes before it belong to earlier results. */
  #base = 0;
  #position = 0;

  get length(): number {
    return this.#position - this.#base;
  }

  /** Discards all bytes after `length`. */
  truncate(length: number): void {
    this.#position = this.#base + length;
  }

  /** Removes the bytes from `start` on, and returns a copy of them. */
  take(start = 0): Uint8Array {
    const from = this.#base + start;
    const result = new Uint8Array(this.#position - from);
    result.set(this.#bytes.subarray(from, this.#position));
    this.#position = from;
    return result;
  }

  /** Removes and returns all bytes. A short result shares its memory with later results. */
  finish(): Uint8Array {
    const { length } = this;
    if (length > slabSize / 2) {
      const result = this.take();
      if (this.#bytes.length > largestKept) this.#resize(slabSize);
      return result;
    }
    const result = new Uint8Array(this.#bytes.buffer, this.#base, length);
    this.#base = this.#position;
    return result;
  }

  /** Moves the bytes that have not been returned to a new buffer. */
  #resize(size: number): void {
    const next = allocate(size);
    const { length } = this;
    next.set(this.#bytes.subarray(this.#base, this.#position));
    this.#bytes = next;
    this.#view = new DataView(next.buffer);
    this.#base = 0;
    this.#position = length;
  }

  #reserve(size: number): number {
    if (this.#position + size > this.#bytes.length) this.#resize(Math.max(slabSize, (this.length + size) * 2));
    const start = this.#position;
    this.#position = start + size;
    return start;
  }

  byte(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    if (bytes.length > shortString) {
      this.#bytes.set(bytes, at);
      return;
    }
    for (let index = 0; index < bytes.length; index++) this.#bytes[at + index] = bytes[index]!;
  }

  /** Writes a code and a number of 8, 16 or 32 bits. */
  #coded(code: number, bits: 8 | 16 | 32, value: number): void {
    const at = this.#reserve(1 + bits / 8);
    this.#bytes[at] = code;
    if (bits === 8) this.#bytes[at + 1] = value;
    else if (bits === 16) this.#view.setUint16(at + 1, value);
    else this.#view.setUint32(at + 1, value);
  }

  /** Writes a number in as few of 8, 16 or 32 bits as possible, after one of three consecutive codes. */
  #sized(code: number, size: number): void {
    if (size < 0x100) this.#coded(code, 8, size);
    else if (size < 0x10000) this.#coded(code + 1, 16, size);
    else this.#coded(code + 2, 32, size);
  }

  arrayHeader(length: number): void {
    this.#count(0x90, 0xdc, length);
  }

  mapHeader(length: number): void {
    this.#count(0x80, 0xde, length);
  }

  #count(short: number, long: number, length: number): void {
    if (length < 16) this.byte(short | length);
    else if (length < 0x10000) this.#coded(long, 16, length);
    else this.#coded(long + 1, 32, length);
  }

  binary(bytes: Uint8Array): void {
    this.#sized(0xc4, bytes.length);
    this.raw(bytes);
  }

  extensionHeader(type: number, length: number): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(length);
    if (fixed >= 0) this.byte(0xd4 + fixed);
    else this.#sized(0xc7, length);
    this.byte(type);
  }

  text(text: string): void {
    const { length } = text;
    if (length <= shortString && this.#shortText(text, length)) return;
    const size = Buffer.byteLength(text);
    if (size < 32) this.byte(0xa0 | size);
    else this.#sized(0xd9, size);
    const at = this.#reserve(size);
    this.#bytes.utf8Write(text, at, size);
  }

  /** Writes ASCII text with a one-byte header. Writes nothing and returns false if the text is not ASCII. */
  #shortText(text: string, length: number): boolean {
    const at = this.#reserve(length + 1);
    const bytes = this.#bytes;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) {
        this.#position = at;
        return false;
      }
      bytes[at + 1 + index] = unit;
    }
    bytes[at] = 0xa0 | length;
    return true;
  }

  /** Writes an integer between -2^53 and 2^53. */
  integer(value: number): void {
    if (value >= 0x100000000 || value < -0x80000000) this.integer64(BigInt(value));
    else if (value >= -0x20 && value < 0x80) this.byte(value & 0xff);
    else if (value >= 0) this.#sized(0xcc, value);
    else if (value >= -0x80) this.#coded(0xd0, 8, value & 0xff);
    else if (value >= -0x8000) this.#coded(0xd1, 16, value & 0xffff);
    else this.#coded(0xd2, 32, value >>> 0);
  }

  /** Writes an integer of 64 bits that needs more than 32. */
  integer64(value: bigint): void {
    const at = this.#reserve(9);
    this.#bytes[at] = value < 0n ? 0xd3 : 0xcf;
    this.#view.setBigInt64(at + 1, BigInt.asIntN(64, value));
  }

  double(value: number): void {
    const at = this.#reserve(9);
    this.#bytes[at] = 0xcb;
    this.#view.setFloat64(at + 1, value);
  }
}
