// SPDX-License-Identifier: Apache-2.0
import { TurnoverSet } from "@tenon/protocol/turnover";

/** Limits the number of calls in flight. Further calls wait in order. */
export class CallQueue {
  readonly #limit: number;
  readonly #waiting = new TurnoverSet<() => void>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Calls `start` now, or when its turn comes. The returned function removes a waiting call; it does nothing once the call has started. */
  enter(start: () => void): () => void {
    if (this.#running < this.#limit) {
      this.#running++;
      start();
      return () => {};
    }
    this.#waiting.add(start);
    return () => this.#waiting.delete(start);
  }

  /** Ends a call that was started. */
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
