// SPDX-License-Identifier: Apache-2.0
/**
 * Collections whose elements come and go with each call.
 *
 * In a `Set` or `Map`, V8 replaces the hash table again and again while elements come and go, and each table refers to its successor. Once
 * a garbage collection has moved one of these tables into the old generation, it keeps all later tables alive, and with them every element
 * that was ever in them, until the next full collection: after 20,000 calls, 60 MiB. The classes here start a new collection now and then,
 * to which no earlier table refers.
 *
 * @module
 */

/** Number of deletions, besides those of the present elements, after which a new collection is started. */
const deletions = 32;

/** A `Set` for elements that stay for a short time. An iteration may still visit elements that are deleted during it. */
export class TurnoverSet<T> implements Iterable<T> {
  #elements = new Set<T>();
  #deleted = 0;

  /** Number of elements. */
  get size(): number {
    return this.#elements.size;
  }

  /** Adds an element. */
  add(element: T): void {
    this.#elements.add(element);
  }

  /** Deletes an element. Returns whether the set contained it. */
  delete(element: T): boolean {
    if (!this.#elements.delete(element)) return false;
    if (++this.#deleted > deletions + this.#elements.size) {
      this.#elements = new Set(this.#elements);
      this.#deleted = 0;
    }
    return true;
  }

  /** Deletes all elements. */
  clear(): void {
    this.#elements = new Set();
  }

  /** Iterates the elements in the order in which they were added. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#elements.values();
  }
}

/** A `Map` for entries that stay for a short time. An iteration may still visit entries that are deleted during it. */
export class TurnoverMap<Key, T> {
  #entries = new Map<Key, T>();
  #deleted = 0;

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value of a key, or undefined. */
  get(key: Key): T | undefined {
    return this.#entries.get(key);
  }

  /** Sets the value of a key. */
  set(key: Key, value: T): void {
    this.#entries.set(key, value);
  }

  /** Deletes the entry of a key. Returns whether the map contained it. */
  delete(key: Key): boolean {
    if (!this.#entries.delete(key)) return false;
    if (++this.#deleted > deletions + this.#entries.size) {
      this.#entries = new Map(this.#entries);
      this.#deleted = 0;
    }
    return true;
  }

  /** Iterates the values in the order in which their keys were added. */
  values(): IterableIterator<T> {
    return this.#entries.values();
  }
}
