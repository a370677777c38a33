// SPDX-License-Identifier: Apache-2.0
import { limits } from "./limits.ts";

/**
 * Streams that this endpoint reset before the peer had ended its half.
 *
 * Frames on these streams may have been in flight, and are ignored. Frames on any other stream that has ended are a violation.
 */
export class ResetStreams {
  /** Number of bytes that the peer may still send on each stream, by identifier; oldest first. */
  readonly #windows = new Map<number, number>();

  /** Largest identifier of a stream that is no longer in the map: frames on older streams are accepted without a check. */
  #forgottenId = 0;

  /** Adds a stream with its receive window. */
  add(streamId: number, window: number): void {
    if (this.#windows.size >= limits.rememberedResets) {
      const oldest = this.#windows.keys().next().value!;
      this.#windows.delete(oldest);
      this.#forgottenId = Math.max(this.#forgottenId, oldest);
    }
    this.#windows.set(streamId, window);
  }

  /** Removes a stream: the peer has reset it, too. */
  delete(streamId: number): void {
    this.#windows.delete(streamId);
  }

  /** Whether data of that size may have been in flight. `last`: whether it ends the peer's half. */
  acceptData(streamId: number, size: number, last: boolean): boolean {
    const window = this.#windows.get(streamId);
    if (window === undefined) return streamId <= this.#forgottenId;
    if (size > window) return false;
    if (last) this.#windows.delete(streamId);
    else this.#windows.set(streamId, window - size);
    return true;
  }

  /** Whether headers may have been in flight. `last`: whether they end the peer's half. */
  acceptHeaders(streamId: number, last: boolean): boolean {
    const known = last ? this.#windows.delete(streamId) : this.#windows.has(streamId);
    return known || streamId <= this.#forgottenId;
  }
}
