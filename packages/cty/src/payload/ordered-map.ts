// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "../text/code-point-order.ts";

/** Number of elements from which {@link OrderedMap} is faster than a Map. */
export const largeMap = 256;

/**
 * A large decoded map whose keys are in code point order. Keys are found by binary search, which saves the hashing that dominates the
 * cost of a Map. It implements the reading methods of Map; like every payload it must not be changed.
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
