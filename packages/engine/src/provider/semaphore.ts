// SPDX-License-Identifier: Apache-2.0
import { Fifo } from "../fifo.ts";

/** A counting semaphore: limits how many tasks run at once. Waiting tasks start in the order of arrival. */
export class Semaphore {
  readonly #limit: number;
  #active = 0;
  readonly #waiting = new Fifo<() => void>();
  #shorter: { readonly limit: number; readonly notify: () => void } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of tasks that wait for a slot. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Runs a task as soon as fewer tasks than the limit are running. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#active >= this.#limit) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    else this.#active++;
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  /** Calls a function once, when the next task leaves the queue and fewer than `limit` tasks are left in it. Replaces an earlier function. */
  whenFewerWait(limit: number, notify: () => void): void {
    this.#shorter = { limit, notify };
  }

  /** Passes the slot to the next waiting task, or frees it. */
  #release(): void {
    const next = this.#waiting.take();
    if (next === undefined) {
      this.#active--;
      return;
    }
    next();
    if (this.#shorter === undefined || this.waitingCount >= this.#shorter.limit) return;
    const { notify } = this.#shorter;
    this.#shorter = undefined;
    notify();
  }
}
