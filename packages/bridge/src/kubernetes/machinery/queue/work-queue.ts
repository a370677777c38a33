// SPDX-License-Identifier: Apache-2.0
import { TokenBucket } from "./token-bucket.ts";

/** Options of a {@link WorkQueue}. */
export interface WorkQueueSettings {
  /** Delay of a key after its first failure, in milliseconds. It doubles with each further failure. Default: 1,000. */
  readonly initialDelayMs?: number;
  /** Maximum delay of a key after failures, in milliseconds. Default: 60,000. */
  readonly maxDelayMs?: number;
  /** Maximum rate of repetitions per second, over all keys. Bursts may have ten times as many. Default: 10. */
  readonly repeatsPerSecond?: number;
}

/**
 * A queue of keys for workers. A key is in it at most once, however often it is added. While a worker has a key, no other worker gets it: the key
 * is handed out again only after {@link done}.
 */
export class WorkQueue {
  readonly #initialDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #repeats: TokenBucket;
  readonly #ready = new Set<string>();
  readonly #active = new Set<string>();
  /** Keys that were added while a worker had them. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly dueAt: number; readonly timer: NodeJS.Timeout }>();
  readonly #failures = new Map<string, number>();
  readonly #waiting: ((key: string | undefined) => void)[] = [];
  /** Called after each {@link done}. */
  readonly #afterWork = new Set<() => void>();
  #closed = false;

  constructor({ initialDelayMs = 1_000, maxDelayMs = 60_000, repeatsPerSecond = 10 }: WorkQueueSettings = {}) {
    this.#initialDelayMs = initialDelayMs;
    this.#maxDelayMs = maxDelayMs;
    this.#repeats = new TokenBucket(repeatsPerSecond, repeatsPerSecond * 10);
  }

  /** Number of keys that wait for a worker, without delayed keys. */
  get length(): number {
    return this.#ready.size;
  }

  /** Number of keys that workers have. */
  get active(): number {
    return this.#active.size;
  }

  /** Adds a key. If the key is delayed, its delay ends. */
  add(key: string): void {
    if (this.#closed) return;
    this.#cancelDelay(key);
    if (this.#active.has(key)) {
      this.#again.add(key);
      return;
    }
    const worker = this.#waiting.shift();
    if (worker === undefined) {
      this.#ready.add(key);
      return;
    }
    this.#active.add(key);
    worker(key);
  }

  /** Adds a key after a delay in milliseconds. If the key is delayed already, the earlier time applies. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueAt = performance.now() + delayMs;
    const delayed = this.#delayed.get(key);
    if (delayed && delayed.dueAt <= dueAt) return;
    this.#cancelDelay(key);
    const timer = setTimeout(() => this.add(key), delayMs);
    this.#delayed.set(key, { dueAt, timer });
  }

  /** Adds a key after a failure, with exponential backoff, and within the rate limit of all keys. */
  addAfterFailure(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const own = Math.min(this.#initialDelayMs * 2 ** failures, this.#maxDelayMs);
    this.addAfter(key, Math.max(own, this.#repeats.reserve()));
  }

  /** Forgets the failures of a key, after a success. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Removes a key that no worker has, with its delay and failures. */
  remove(key: string): void {
    this.#ready.delete(key);
    this.#again.delete(key);
    this.#failures.delete(key);
    this.#cancelDelay(key);
  }

  /** Waits for the next key, and hands it to the caller. Returns undefined after {@link close}. */
  take(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    for (const key of this.#ready) {
      this.#ready.delete(key);
      this.#active.add(key);
      return Promise.resolve(key);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the work of the caller on a key. */
  done(key: string): void {
    this.#active.delete(key);
    if (this.#again.delete(key)) this.add(key);
    for (const check of this.#afterWork) check();
  }

  /** Hands out no more keys. Resolves when no worker has a key. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
    this.#ready.clear();
    this.#again.clear();
    for (const worker of this.#waiting.splice(0)) worker(undefined);
    await this.settled(() => true);
  }

  /** Resolves when no worker has any of the matching keys. */
  async settled(matches: (key: string) => boolean): Promise<void> {
    const isSettled = (): boolean => ![...this.#active].some(matches);
    if (isSettled()) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!isSettled()) return;
        this.#afterWork.delete(check);
        resolve();
      };
      this.#afterWork.add(check);
    });
  }

  #cancelDelay(key: string): void {
    clearTimeout(this.#delayed.get(key)?.timer);
    this.#delayed.delete(key);
  }
}
