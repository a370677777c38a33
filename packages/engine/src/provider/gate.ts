// SPDX-License-Identifier: Apache-2.0

/** Limits how many tasks run at once (a counting semaphore). Waiting tasks start in the order of arrival. */
export class Gate {
  readonly #limit: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  #first = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs a task as soon as fewer tasks than the limit are running. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#active >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active++;
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  /** Passes the slot to the next waiting task, or frees it. */
  #release(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#active--;
      this.#waiting.length = 0;
      this.#first = 0;
      return;
    }
    this.#first++;
    next();
  }
}
