// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";

/** What stands before each message: whether it is compressed, and its length. */
export const messagePrefixLength = 5;

/** Room that a message gets before any of it has come; its announced length is only a claim. */
const firstRoom = 64 * 1024;

const nothing: Uint8Array = new Uint8Array(0);

/** Gets what a {@link MessageReader} has read. */
export interface MessageSink {
  message(bytes: Uint8Array): void;
}

/** Takes data apart into gRPC messages. A message that came in one piece is not copied. */
export class MessageReader {
  readonly #maxBytes: number;
  readonly #sink: MessageSink;
  #prefix: Uint8Array = nothing;
  #prefixFilled = 0;
  /** The message that has begun: its whole length, and what has come of it. */
  #length = -1;
  #room: Uint8Array = nothing;
  #filled = 0;

  constructor(maxBytes: number, sink: MessageSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** Whether a message has begun and not ended. */
  get unfinished(): boolean {
    return this.#prefixFilled > 0;
  }

  /**
   * Takes what has come.
   *
   * @throws ConnectError `ResourceExhausted` for a message above the limit, `Internal` for a compressed one.
   */
  push(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end;) {
      if (this.#length >= 0) {
        at = this.#fill(bytes, at, end);
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
        this.#room = new Uint8Array(Buffer.allocUnsafeSlow(Math.min(this.#length, firstRoom)).buffer);
        if (this.#length === 0) this.#finish();
      }
    }
  }

  #fill(bytes: Buffer, at: number, end: number): number {
    const size = Math.min(end - at, this.#length - this.#filled);
    if (this.#filled + size > this.#room.length) {
      const length = Math.min(this.#length, Math.max(this.#room.length * 2, this.#filled + size));
      const room = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
      room.set(this.#room.subarray(0, this.#filled));
      this.#room = room;
    }
    this.#room.set(bytes.subarray(at, at + size), this.#filled);
    this.#filled += size;
    if (this.#filled === this.#length) this.#finish();
    return at + size;
  }

  #finish(): void {
    const message = this.#room;
    this.#prefixFilled = 0;
    this.#length = -1;
    this.#room = nothing;
    this.#filled = 0;
    this.#sink.message(message);
  }

  #lengthIn(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== 0) throw new ConnectError("a message is compressed, though no compression was agreed on", Code.Internal);
    const length = bytes[at + 1]! * 2 ** 24 + (bytes[at + 2]! << 16) + (bytes[at + 3]! << 8) + bytes[at + 4]!;
    if (length > this.#maxBytes) {
      throw new ConnectError(
        `a message of ${length} bytes was to be received, where ${this.#maxBytes} are allowed`,
        Code.ResourceExhausted,
      );
    }
    return length;
  }
}
