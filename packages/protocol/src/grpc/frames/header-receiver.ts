// SPDX-License-Identifier: Apache-2.0
import { CompressionError } from "../hpack/compression-error.ts";
import { HeaderDecoder } from "../hpack/header-decoder.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { errorCode, flag } from "./frame.ts";
import { readStreamId } from "./frame-reader.ts";
import { limits } from "./limits.ts";
import { unpadded } from "./padding.ts";
import { Violation } from "./violation.ts";

/** Called with each complete header list. `last`: whether it ends the peer's half of the stream. */
export type HandleHeaders = (streamId: number, list: HeaderList, last: boolean) => void;

/** Assembles and decodes the header blocks of a connection: HEADERS, and CONTINUATION until END_HEADERS. */
export class HeaderReceiver {
  readonly #decoder = new HeaderDecoder(limits.headerListSize);
  readonly #handle: HandleHeaders;
  #incomplete: IncompleteBlock | undefined;

  constructor(handle: HandleHeaders) {
    this.#handle = handle;
  }

  /** Stream of the header block that has not ended yet. Until its end, only its CONTINUATION frames may arrive. */
  get incompleteStreamId(): number | undefined {
    return this.#incomplete?.streamId;
  }

  /** Handles a HEADERS frame. @throws Violation when the frame is malformed or its block cannot be decoded. */
  handleHeaders(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    if (streamId === 0) throw new Violation(errorCode.protocolError, "HEADERS on stream 0");
    let [from, to] = flags & flag.padded ? unpadded(bytes, start, end) : [start, end];
    if (flags & flag.priority) {
      if (to - from < 5) throw new Violation(errorCode.frameSizeError, "HEADERS too short for its priority");
      checkDependency(streamId, bytes, from);
      from += 5;
    }
    const last = (flags & flag.endStream) !== 0;
    if (flags & flag.endHeaders) {
      this.#handle(streamId, this.#decode(bytes, from, to), last);
      return;
    }
    this.#incomplete = new IncompleteBlock(streamId, last);
    this.#incomplete.append(bytes, from, to);
  }

  /** Handles a CONTINUATION frame. @throws Violation when no block is incomplete, or the block is too long or cannot be decoded. */
  handleContinuation(flags: number, bytes: Buffer, start: number, end: number): void {
    const block = this.#incomplete;
    if (block === undefined) throw new Violation(errorCode.protocolError, "CONTINUATION without HEADERS");
    block.append(bytes, start, end);
    if (!(flags & flag.endHeaders)) return;
    this.#incomplete = undefined;
    const whole = block.concat();
    this.#handle(block.streamId, this.#decode(whole, 0, whole.length), block.last);
  }

  #decode(bytes: Buffer, start: number, end: number): HeaderList {
    try {
      return this.#decoder.decode(bytes, start, end);
    } catch (error) {
      if (error instanceof CompressionError) throw new Violation(errorCode.compressionError, error.message);
      throw error;
    }
  }
}

/** The received frames of a header block that spans several frames. */
class IncompleteBlock {
  readonly streamId: number;
  readonly last: boolean;
  readonly #fragments: Buffer[] = [];
  #size = 0;

  constructor(streamId: number, last: boolean) {
    this.streamId = streamId;
    this.last = last;
  }

  append(bytes: Buffer, start: number, end: number): void {
    // A copy: the chunk that holds the fragment may be much larger, and is only valid during this call.
    this.#fragments.push(Buffer.from(bytes.subarray(start, end)));
    this.#size += end - start;
    const { headerBlock } = limits;
    if (this.#fragments.length > headerBlock.frames || this.#size > headerBlock.bytes) {
      throw new Violation(errorCode.enhanceYourCalm, `a header block of more than ${this.#size} bytes in ${this.#fragments.length} frames`);
    }
  }

  concat(): Buffer {
    return Buffer.concat(this.#fragments);
  }
}

/**
 * Checks the dependency in a priority. Priorities are otherwise ignored.
 *
 * @throws Violation `PROTOCOL_ERROR` when a stream depends on itself.
 * @see RFC 7540, section 5.3.1
 */
export function checkDependency(streamId: number, bytes: Buffer, at: number): void {
  if (readStreamId(bytes, at) === streamId) throw new Violation(errorCode.protocolError, `stream ${streamId} depends on itself`);
}
