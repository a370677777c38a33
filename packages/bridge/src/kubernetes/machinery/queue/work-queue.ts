// SPDX-License-Identifier: Apache-2.0
import { TokenBucket } from "./token-bucket.ts";

/** Settings of a {@link WorkQueue}. */
export interface WorkQueueSettings {
  /** First delay of a key after a failure, in milliseconds; each further one is twice as long. Default: 1,000. */
  readonly initialDelayMs?: number;
  /** Longest delay of a key after failures, in milliseconds. Default: 60,000. */
  readonly maxDelayMs?: number;
  /** Number of repeated keys a second, over all keys. Ten times as many may be repeated at once. Default: 10. */
  readonly repeatsPerSecond?: number;
}

/**
 * Queue of keys to work on. A key is in it at most once, however often it is added. A key that is being worked on is handed out again only
 * after {@link done}, so that no two workers work on one key.
 */
export class WorkQueue {
  readonly #initialDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #repeats: TokenBucket;
  readonly #ready = new Set<string>();
  readonly #active = new Set<string>();
  /** Keys that were added while they were being worked on. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly dueAt: number; readonly timer: NodeJS.Timeout }>();
  readonly #failures = new Map<string, number>();
  readonly #waiting: ((key: string | undefined) => void)[] = [];
  /** Called after the work on each key. */
  readonly #afterWork = new Set<() => void>();
  #closed = false;

  constructor({ initialDelayMs = 1_000, maxDelayMs = 60_000, repeatsPerSecond = 10 }: WorkQueueSettings = {}) {
    this.#initialDelayMs = initialDelayMs;
    this.#maxDelayMs = maxDelayMs;
    this.#repeats = new TokenBucket(repeatsPerSecond, repeatsPerSecond * 10);
  }

  /** Number of keys that wait for a worker. Delayed keys do not count. */
  get length(): number {
    return this.#ready.size;
  }

  /** Number of keys that are being worked on. */
  get active(): number {
    return this.#active.size;
  }

  /** Adds a key. A delay of this key ends. */
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

  /** Adds a key after a delay in milliseconds. Of several delays of a key, the shortest counts. */
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

  /** Adds a key after a failure: later after each one, and no more of all keys together than the rate limit allows. */
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

  /** Removes an idle key, and its delay and failures. */
  remove(key: string): void {
    this.#ready.delete(key);
    this.#again.delete(key);
    this.#failures.delete(key);
    this.#cancelDelay(key);
  }

  /** Returns the next key; waits for one. Returns undefined after {@link close}. */
  take(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    for (const key of this.#ready) {
      this.#ready.delete(key);
      this.#active.add(key);
      return Promise.resolve(key);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the work on a key. */
  done(key: string): void {
    this.#active.delete(key);
    if (this.#again.delete(key)) this.add(key);
    for (const check of this.#afterWork) check();
  }

  /** Hands out no more keys. Settles when no key is being worked on. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
    this.#ready.clear();
    this.#again.clear();
    for (const worker of this.#waiting.splice(0)) worker(undefined);
    await this.settled(() => true);
  }

  /** Settles when no worker processes any of these keys. */
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
