// SPDX-License-Identifier: Apache-2.0

/** Lets a number of calls be under way at a time, in the order they came. */
export class CallQueue {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts `start` now or when its turn comes. Call what this returns to leave the queue before that; it does nothing later. */
  enter(start: () => void): () => void {
    if (this.#running < this.#limit) {
      this.#running++;
      start();
      return () => {};
    }
    this.#waiting.add(start);
    return () => this.#waiting.delete(start);
  }

  /** A call that was started is done. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
