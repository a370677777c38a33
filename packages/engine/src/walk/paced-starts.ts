// SPDX-License-Identifier: Apache-2.0
import { Fifo } from "../fifo.ts";
import type { Semaphore } from "../provider/semaphore.ts";

/** Maximum number of instances that start in one turn of the event loop. */
const maximumStarts = 64;
/** Instances start only while fewer calls than this wait for a slot. */
const maximumWaiting = 64;

/**
 * Starts the instances of a run in small groups, so that the work in progress of all instances need not be in memory at the same time. Between
 * two groups, other work of the process has its turn.
 *
 * An instance never waits until another one has ended. The next group starts in the next turn of the event loop. Only while 64 calls wait for a
 * slot does it start later, because the call of one more instance would have to wait, too.
 */
export class PacedStarts {
  readonly #concurrency: Semaphore;
  readonly #waiting = new Fifo<() => void>();
  /** Number of instances that may still start in this turn. */
  #remaining = maximumStarts;
  #isScheduled = false;

  /** @param concurrency Limits the calls that the instances make. */
  constructor(concurrency: Semaphore) {
    this.#concurrency = concurrency;
  }

  /** Resolves when the caller may start an instance; undefined if it may do so now. Instances start in the order of the calls. */
  next(): Promise<void> | undefined {
    this.#schedule();
    if (this.#waiting.size > 0 || !this.#mayStart()) return new Promise<void>((resolve) => this.#waiting.add(resolve));
    this.#remaining--;
    return undefined;
  }

  #mayStart(): boolean {
    return this.#remaining > 0 && this.#concurrency.waitingCount < maximumWaiting;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startGroup());
  }

  #startGroup(): void {
    this.#isScheduled = false;
    this.#remaining = maximumStarts;
    while (this.#waiting.size > 0 && this.#mayStart()) {
      this.#remaining--;
      this.#waiting.take()!();
    }
    if (this.#waiting.size === 0) return;
    if (this.#remaining === 0) return this.#schedule();
    this.#isScheduled = true;
    this.#concurrency.whenFewerWait(maximumWaiting, () => this.#startGroup());
  }
}
