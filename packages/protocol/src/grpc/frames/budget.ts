// SPDX-License-Identifier: Apache-2.0
import { monotonic } from "../monotonic.ts";

/** So much of something that costs a peer nothing and us a little; time, and what is of use, give it back. */
export class Budget {
  readonly #capacity: number;
  readonly #perSecond: number;
  #left: number;
  #refilled = monotonic();

  constructor(capacity: number, perSecond: number) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#left = capacity;
  }

  /** False once there is none left. */
  spend(): boolean {
    if (this.#left < 1) this.#refill();
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Something of use has happened. */
  earn(): void {
    if (this.#left < this.#capacity) this.#left += 1;
  }

  #refill(): void {
    const now = monotonic();
    this.#left = Math.min(this.#capacity, this.#left + ((now - this.#refilled) / 1000) * this.#perSecond);
    this.#refilled = now;
  }
}
