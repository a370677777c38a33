// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "./code-point-order.ts";

/** From so many elements on, {@link OrderedMap} pays. */
export const largeMap = 256;

/**
 * A large map as it was read, with keys in order by code point: they are found by halving, so that none has to be hashed, which is
 * most of what a Map costs. It is one for whoever reads it; like every payload it is never changed.
 */
export class OrderedMap<T> extends Map<string, T> {
  readonly #keys: readonly string[];
  readonly #values: readonly T[];

  constructor(keys: readonly string[], values: readonly T[]) {
    super();
    this.#keys = keys;
    this.#values = values;
  }

  override get size(): number {
    return this.#keys.length;
  }

  override get(key: string): T | undefined {
    return this.#values[this.#find(key)];
  }

  override has(key: string): boolean {
    return this.#find(key) >= 0;
  }

  #find(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareCodePoints(this.#keys[middle]!, key);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  override keys(): MapIterator<string> {
    return this.#keys.values();
  }

  override values(): MapIterator<T> {
    return this.#values.values();
  }

  override *entries(): MapIterator<[string, T]> {
    for (let index = 0; index < this.size; index++) yield [this.#keys[index]!, this.#values[index]!];
  }

  override [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries();
  }

  override forEach(visit: (value: T, key: string, map: Map<string, T>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }
}
