// SPDX-License-Identifier: Apache-2.0
import { clientPreface, defaultMaxFrameSize, errorCode, frameHeaderLength } from "./frame.ts";
import { Violation } from "./violation.ts";

/** Takes one frame; its payload is what stands between `start` and `end`, and is good until this returns. */
export type TakeFrame = (type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number) => void;

/**
 * Takes a connection's bytes apart into frames.
 *
 * A frame that came in one piece is not copied. Of one that did not, no more than its announced length is kept.
 */
export class FrameReader {
  readonly #take: TakeFrame;
  #awaitedPreface: Buffer;
  readonly #header = Buffer.allocUnsafe(frameHeaderLength);
  /** A frame that has begun: its bytes so far, of these so many. */
  #partial: Buffer | undefined;
  #filled = 0;
  #stopped = false;

  constructor(take: TakeFrame, { expectPreface }: { readonly expectPreface: boolean }) {
    this.#take = take;
    this.#awaitedPreface = expectPreface ? clientPreface : Buffer.alloc(0);
  }

  /** Whatever comes from now on, the rest of the bytes under way included, is not looked at. */
  stop(): void {
    this.#stopped = true;
    this.#partial = undefined;
  }

  /** @throws Violation where the bytes are no frames, and whatever taking a frame throws. */
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
      throw new Violation(errorCode.protocolError, "the client does not speak HTTP/2");
    }
    this.#awaitedPreface = this.#awaitedPreface.subarray(length);
    return length;
  }

  /** Goes on with a frame that is not here in one piece. Answers how far it got. */
  #complete(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#partial === undefined) {
      const taken = Math.min(frameHeaderLength - this.#filled, chunk.length - at);
      chunk.copy(this.#header, this.#filled, at, at + taken);
      this.#filled += taken;
      at += taken;
      if (this.#filled < frameHeaderLength) return at;
      this.#partial = Buffer.allocUnsafe(payloadLength(this.#header, 0));
      this.#filled = 0;
    }
    const taken = Math.min(this.#partial.length - this.#filled, chunk.length - at);
    chunk.copy(this.#partial, this.#filled, at, at + taken);
    this.#filled += taken;
    if (this.#filled === this.#partial.length) {
      const whole = this.#partial;
      this.#partial = undefined;
      this.#filled = 0;
      this.#dispatch(this.#header, 0, whole, 0, whole.length);
    }
    return at + taken;
  }

  #dispatch(header: Buffer, at: number, bytes: Buffer, start: number, end: number): void {
    this.#take(header[at + 3]!, header[at + 4]!, readStreamId(header, at + 5), bytes, start, end);
  }
}

function payloadLength(header: Buffer, at: number): number {
  const length = (header[at]! << 16) | (header[at + 1]! << 8) | header[at + 2]!;
  if (length > defaultMaxFrameSize) {
    throw new Violation(errorCode.frameSizeError, `a frame of ${length} bytes, where ${defaultMaxFrameSize} are allowed`);
  }
  return length;
}

/** The first bit means nothing. */
export function readStreamId(bytes: Buffer, at: number): number {
  return ((bytes[at]! & 0x7f) << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}
