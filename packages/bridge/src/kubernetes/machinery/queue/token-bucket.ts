// SPDX-License-Identifier: Apache-2.0

/** Rate limit: a number of tokens a second, of which unused ones are kept up to a burst. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  #tokens: number;
  #updatedAt: number;

  /** @param now - Clock in milliseconds. Default: a monotonic clock. */
  constructor(perSecond: number, burst: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#now = now;
    this.#tokens = burst;
    this.#updatedAt = now();
  }

  /** Whether the bucket is full: the whole burst is available. */
  get isFull(): boolean {
    this.#refill();
    return this.#tokens >= this.#burst;
  }

  /** Takes a token if there is one. */
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
