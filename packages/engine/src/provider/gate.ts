// SPDX-License-Identifier: Apache-2.0

/** Limits how many tasks are under way at once. Waiting tasks start in the order in which they came. */
export class Gate {
  readonly #limit: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  #first = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs a task as soon as there is room. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#active >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active++;
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  /** Hands the place over to the next task, so that the number of active ones stays. */
  #leave(): void {
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
