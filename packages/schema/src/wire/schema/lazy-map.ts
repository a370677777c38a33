// SPDX-License-Identifier: Apache-2.0

/** Map whose values are decoded on access, each once. `keys`, `has` and `size` decode no value.
 */
export class LazyMap<Value> implements ReadonlyMap<string, Value> {
  readonly #encoded: ReadonlyMap<string, Uint8Array>;
  readonly #decoded = new Map<string, Value>();
  readonly #decode: (bytes: Uint8Array, key: string) => Value;

  constructor(encoded: ReadonlyMap<string, Uint8Array>, decode: (bytes: Uint8Array, key: string) => Value) {
    this.#encoded = encoded;
    this.#decode = decode;
  }

  get size(): number {
    return this.#encoded.size;
  }

  has(key: string): boolean {
    return this.#encoded.has(key);
  }

  get(key: string): Value | undefined {
    const known = this.#decoded.get(key);
    if (known !== undefined) return known;
    const bytes = this.#encoded.get(key);
    if (bytes === undefined) return undefined;
    const value = this.#decode(bytes, key);
    this.#decoded.set(key, value);
    return value;
  }

  keys(): MapIterator<string> {
    return this.#encoded.keys();
  }

  *values(): MapIterator<Value> {
    for (const key of this.#encoded.keys()) yield this.get(key)!;
  }

  *entries(): MapIterator<[string, Value]> {
    for (const key of this.#encoded.keys()) yield [key, this.get(key)!];
  }

  forEach(callback: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void, thisArg?: unknown): void {
    for (const [key, value] of this.entries()) callback.call(thisArg, value, key, this);
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }
}
