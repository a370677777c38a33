// SPDX-License-Identifier: Apache-2.0
import { setTimeout as delay } from "node:timers/promises";

/** Options of a {@link Backoff}. */
export interface BackoffSettings {
  /** First delay in milliseconds. Default: 800. */
  readonly initialMs?: number;
  /** Maximum delay in milliseconds, without jitter. Default: 30,000. */
  readonly maxMs?: number;
  /** Maximum random share that is added to a delay. Default: 1, which up to doubles it. */
  readonly jitter?: number;
}

/** Exponential backoff with jitter: each delay is twice the previous one, plus a random share, so that clients do not retry at the same time. */
export class Backoff {
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #jitter: number;
  #attempts = 0;

  constructor({ initialMs = 800, maxMs = 30_000, jitter = 1 }: BackoffSettings = {}) {
    this.#initialMs = initialMs;
    this.#maxMs = maxMs;
    this.#jitter = jitter;
  }

  /** Returns the next delay in milliseconds. */
  next(): number {
    const delayMs = Math.min(this.#initialMs * 2 ** this.#attempts, this.#maxMs);
    this.#attempts += 1;
    return delayMs * (1 + Math.random() * this.#jitter);
  }

  /** Waits for the next delay. Rejects when the signal aborts. */
  async wait(signal?: AbortSignal): Promise<void> {
    await delay(this.next(), undefined, signal ? { signal } : {});
  }

  /** Waits for the next delay, or until the signal aborts. */
  async waitOrAbort(signal: AbortSignal): Promise<void> {
    try {
      await this.wait(signal);
    } catch {
      // The caller checks the signal.
    }
  }

  /** Starts again with the first delay, after a success. */
  reset(): void {
    this.#attempts = 0;
  }
}
