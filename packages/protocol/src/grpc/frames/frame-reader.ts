// SPDX-License-Identifier: Apache-2.0
import { clientPreface, defaultMaxFrameSize, errorCode, frameHeaderLength } from "./frame.ts";
import { Violation } from "./violation.ts";

/** Called with each frame. Its payload lies between `start` and `end`, and is valid only during the call. */
export type HandleFrame = (type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number) => void;

/**
 * Splits a connection's bytes into frames.
 *
 * A frame that arrives in one chunk is not copied. A frame in several chunks is copied to a buffer of its length.
 */
export class FrameReader {
  readonly #handle: HandleFrame;
  #awaitedPreface: Buffer;
  readonly #header = Buffer.allocUnsafe(frameHeaderLength);
  /** Buffer for the payload of an incomplete frame. */
  #partial: Buffer | undefined;
  /** Number of bytes received of the incomplete payload, or of the frame header before it. */
  #filled = 0;
  #stopped = false;

  constructor(handle: HandleFrame, { expectPreface }: { readonly expectPreface: boolean }) {
    this.#handle = handle;
    this.#awaitedPreface = expectPreface ? clientPreface : Buffer.alloc(0);
  }

  /** Ignores all further bytes, including the rest of the current chunk. */
  stop(): void {
    this.#stopped = true;
    this.#partial = undefined;
  }

  /** Reads a chunk. @throws Violation when the bytes are not HTTP/2, and any error of the frame handler. */
  push(chunk: Buffer): void {
    let at = this.#awaitedPreface.length > 0 ? this.#readPreface(chunk) : 0;
    while (at < chunk.length && !this.#stopped) {
      if (this.#filled > 0 || this.#partial !== undefined) {
        at = this.#complete(chunk, at);
        continue;
      }
      const end = at + frameHeaderLength + (chunk.length - at < frameHeaderLength ? 0 : payloadLength(chunk, at));
      if (chunk.length - at < frameHeaderLength || end > chunk.length) {
        at = this.#complete(chunk, at);
        continue;
      }
      this.#dispatch(chunk, at, chunk, at + frameHeaderLength, end);
      at = end;
    }
  }

  #readPreface(chunk: Buffer): number {
    const length = Math.min(chunk.length, this.#awaitedPreface.length);
    if (chunk.compare(this.#awaitedPreface, 0, length, 0, length) !== 0) {
      throw new Violation(errorCode.protocolError, "the client did not send the connection preface of HTTP/2");
    }
    this.#awaitedPreface = this.#awaitedPreface.subarray(length);
    return length;
  }

  /** Continues a frame that arrives in several chunks. Returns the offset after the bytes that it read. */
  #complete(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#partial === undefined) {
      const size = Math.min(frameHeaderLength - this.#filled, chunk.length - at);
      chunk.copy(this.#header, this.#filled, at, at + size);
      this.#filled += size;
      at += size;
      if (this.#filled < frameHeaderLength) return at;
      this.#partial = Buffer.allocUnsafe(payloadLength(this.#header, 0));
      this.#filled = 0;
    }
    const size = Math.min(this.#partial.length - this.#filled, chunk.length - at);
    chunk.copy(this.#partial, this.#filled, at, at + size);
    this.#filled += size;
    if (this.#filled === this.#partial.length) {
      const whole = this.#partial;
      this.#partial = undefined;
      this.#filled = 0;
      this.#dispatch(this.#header, 0, whole, 0, whole.length);
    }
    return at + size;
  }

  #dispatch(header: Buffer, at: number, bytes: Buffer, start: number, end: number): void {
    this.#handle(header[at + 3]!, header[at + 4]!, readStreamId(header, at + 5), bytes, start, end);
  }
}

function payloadLength(header: Buffer, at: number): number {
  const length = (header[at]! << 16) | (header[at + 1]! << 8) | header[at + 2]!;
  if (length > defaultMaxFrameSize) {
    throw new Violation(errorCode.frameSizeError, `a frame of ${length} bytes; the maximum is ${defaultMaxFrameSize}`);
  }
  return length;
}

/** Reads a stream identifier, or another number of 31 bits: the first bit is reserved and ignored. */
export function readStreamId(bytes: Buffer, at: number): number {
  return ((bytes[at]! & 0x7f) << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}
