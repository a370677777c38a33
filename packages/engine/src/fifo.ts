// SPDX-License-Identifier: Apache-2.0

/** A queue: what is added first is taken first. Both take constant time. */
export class Fifo<T> {
  #entries: T[] = [];
  #first = 0;

  get size(): number {
    return this.#entries.length - this.#first;
  }

  add(entry: T): void {
    this.#entries.push(entry);
  }

  /** Removes and returns the entry that was added first; undefined if there is none. */
  take(): T | undefined {
    if (this.size === 0) return undefined;
    const entry = this.#entries[this.#first++];
    // Entries that were taken are not kept alive for long.
    if (this.#first * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    return entry;
  }
}
