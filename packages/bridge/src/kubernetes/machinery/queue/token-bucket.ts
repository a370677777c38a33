// SPDX-License-Identifier: Apache-2.0

/** A rate limit with a number of tokens per second. Unused tokens are kept, up to the burst. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  #tokens: number;
  #updatedAt: number;

  /** @param now - A clock in milliseconds. Default: a monotonic clock. */
  constructor(perSecond: number, burst: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#now = now;
    this.#tokens = burst;
    this.#updatedAt = now();
  }

  /** Whether the whole burst is available. */
  get isFull(): boolean {
    this.#refill();
    return this.#tokens >= this.#burst;
  }

  /** Takes a token if one is available. Returns whether it did. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes a token, a future one if necessary. Returns the time until it is available, in milliseconds. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  #refill(): void {
    const now = this.#now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#updatedAt) / 1000) * this.#perSecond);
    this.#updatedAt = now;
  }
}
