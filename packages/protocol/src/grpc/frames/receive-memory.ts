// SPDX-License-Identifier: Apache-2.0
import { limits } from "./limits.ts";

/**
 * Memory that the received messages of a connection occupy: complete messages until their call takes them, and parts of incomplete ones.
 *
 * - Queued messages above {@link limits.queuedBytes} cause backpressure: the connection's window is not credited until calls have taken
 *   some of them.
 * - Above the limit for all messages and parts, a message that needs more memory fails its call. Backpressure would not help: a part is
 *   freed only when the rest of its message has arrived.
 */
export class ReceiveMemory {
  readonly #maxBytes: number;
  readonly #onRelieved: () => void;
  #queuedBytes = 0;
  #partialBytes = 0;

  /**
   * @param maxMessageBytes - size of the largest message that a call accepts, which always fits.
   * @param onRelieved - called when {@link congested} becomes false.
   */
  constructor(maxMessageBytes: number, onRelieved: () => void) {
    this.#maxBytes = maxMessageBytes + limits.receivedBytes;
    this.#onRelieved = onRelieved;
  }

  /** Whether the queued messages occupy so much that the peer must wait. */
  get congested(): boolean {
    return this.#queuedBytes > limits.queuedBytes;
  }

  /** Allocates memory for a part of a message. Returns false, and allocates nothing, when the connection occupies too much. */
  allocatePart(bytes: number): boolean {
    if (this.#queuedBytes + this.#partialBytes + bytes > this.#maxBytes) return false;
    this.#partialBytes += bytes;
    return true;
  }

  /** Frees memory of a part. */
  freePart(bytes: number): void {
    this.#partialBytes -= bytes;
  }

  /** Adds memory of queued messages, or removes it by a negative number. */
  addQueued(bytes: number): void {
    const before = this.congested;
    this.#queuedBytes += bytes;
    if (before && !this.congested) this.#onRelieved();
  }
}
