// SPDX-License-Identifier: Apache-2.0
import { monotonicMs } from "./monotonic-clock.ts";

/** A token bucket: starts full, and refills over time up to its capacity. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #tokensPerSecond: number;
  #tokens: number;
  #refilledAt = monotonicMs();

  constructor(capacity: number, tokensPerSecond: number) {
    this.#capacity = capacity;
    this.#tokensPerSecond = tokensPerSecond;
    this.#tokens = capacity;
  }

  /** Removes tokens. Returns false, and removes nothing, when there are too few. */
  take(count = 1): boolean {
    if (this.#tokens < count) this.#refill();
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }

  /** Puts one token back, unless the bucket is full. */
  putBack(): void {
    if (this.#tokens < this.#capacity) this.#tokens += 1;
  }

  #refill(): void {
    const now = monotonicMs();
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((now - this.#refilledAt) / 1000) * this.#tokensPerSecond);
    this.#refilledAt = now;
  }
}
