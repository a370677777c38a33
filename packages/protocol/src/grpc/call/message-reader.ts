// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import type { ReceiveMemory } from "../frames/receive-memory.ts";

/** Length of the prefix of each message, in bytes: compression flag 1, message length 4. */
export const messagePrefixLength = 5;

/** Maximum size of the first buffer for an incomplete message, in bytes: its announced length is not trusted. */
const firstBufferSize = 64 * 1024;

const emptyBytes: Uint8Array = new Uint8Array(0);

/** Receives the messages that a {@link MessageReader} reads. */
export interface MessageSink {
  /** Handles a message. It may be a view of the chunk that it arrived in. */
  message(bytes: Uint8Array): void;
}

/** Splits data into gRPC messages. A message that arrives in one chunk is not copied. */
export class MessageReader {
  readonly #maxBytes: number;
  readonly #sink: MessageSink;
  #prefix: Uint8Array = emptyBytes;
  #prefixFilled = 0;
  /** Announced length of the incomplete message; -1 without one. */
  #length = -1;
  #buffer: Uint8Array = emptyBytes;
  /** Number of bytes of the incomplete message in the buffer. */
  #filled = 0;
  /** Accounting for the memory of the buffer; undefined without a buffer. */
  #memory: ReceiveMemory | undefined;

  constructor(maxBytes: number, sink: MessageSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** Whether a message is incomplete. */
  get incomplete(): boolean {
    return this.#prefixFilled > 0;
  }

  /**
   * Reads a chunk.
   *
   * @throws ConnectError `ResourceExhausted` for a message above the limit, or when the connection occupies too much memory; `Internal`
   *   for a compressed message.
   */
  push(bytes: Buffer, start: number, end: number, memory: ReceiveMemory): void {
    for (let at = start; at < end;) {
      if (this.#length >= 0) {
        at = this.#fill(bytes, at, end, memory);
        continue;
      }
      if (this.#prefixFilled === 0 && end - at >= messagePrefixLength) {
        const length = this.#lengthIn(bytes, at);
        const from = at + messagePrefixLength;
        if (end - from >= length) {
          this.#sink.message(new Uint8Array(bytes.buffer, bytes.byteOffset + from, length));
          at = from + length;
          continue;
        }
      }
      if (this.#prefixFilled === 0) this.#prefix = new Uint8Array(messagePrefixLength);
      this.#prefix[this.#prefixFilled++] = bytes[at++]!;
      if (this.#prefixFilled === messagePrefixLength) {
        this.#length = this.#lengthIn(this.#prefix, 0);
        this.#grow(Math.min(this.#length, firstBufferSize, Math.max(end - at, 64)), memory);
        if (this.#length === 0) this.#finish();
      }
    }
  }

  /** Frees the memory of an incomplete message. Nothing can be read afterwards. */
  discard(): void {
    this.#memory?.freePart(this.#buffer.length);
    this.#memory = undefined;
    this.#buffer = emptyBytes;
  }

  #fill(bytes: Buffer, at: number, end: number, memory: ReceiveMemory): number {
    const size = Math.min(end - at, this.#length - this.#filled);
    if (this.#filled + size > this.#buffer.length) {
      this.#grow(Math.min(this.#length, Math.max(this.#buffer.length * 2, this.#filled + size)), memory);
    }
    this.#buffer.set(bytes.subarray(at, at + size), this.#filled);
    this.#filled += size;
    if (this.#filled === this.#length) this.#finish();
    return at + size;
  }

  #grow(size: number, memory: ReceiveMemory): void {
    if (!memory.allocatePart(size - this.#buffer.length)) {
      throw new ConnectError("the messages that this connection is receiving occupy too much memory", Code.ResourceExhausted);
    }
    this.#memory = memory;
    const buffer = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
    buffer.set(this.#buffer.subarray(0, this.#filled));
    this.#buffer = buffer;
  }

  #finish(): void {
    const message = this.#buffer;
    this.discard();
    this.#prefixFilled = 0;
    this.#length = -1;
    this.#filled = 0;
    this.#sink.message(message);
  }

  #lengthIn(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== 0) throw new ConnectError("received a compressed message, although no compression was negotiated", Code.Internal);
    const length = bytes[at + 1]! * 2 ** 24 + (bytes[at + 2]! << 16) + (bytes[at + 3]! << 8) + bytes[at + 4]!;
    if (length > this.#maxBytes) {
      throw new ConnectError(`received a message of ${length} bytes; the maximum is ${this.#maxBytes}`, Code.ResourceExhausted);
    }
    return length;
  }
}
