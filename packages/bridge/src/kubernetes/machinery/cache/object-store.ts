// SPDX-License-Identifier: Apache-2.0
import { objectKey, type KubernetesObject } from "../client/kubernetes-object.ts";

/** Returns the values under which an index lists an object. */
export type IndexFunction<Item> = (object: Item) => readonly string[];

/** A change of an object in a store. `before` is absent for a new object, `after` for a removed one. */
export interface ObjectChange<Item> {
  readonly key: string;
  readonly before?: Item;
  readonly after?: Item;
}

/** Objects of one kind in memory, found by key and by indexes. */
export class ObjectStore<Item extends KubernetesObject> {
  readonly #objects = new Map<string, Item>();
  readonly #indexes: ReadonlyMap<string, { readonly values: IndexFunction<Item>; readonly keys: Map<string, Set<string>> }>;
  readonly #listeners = new Set<(change: ObjectChange<Item>) => void>();

  /** @param indexes - The index functions by name. */
  constructor(indexes: Readonly<Record<string, IndexFunction<Item>>> = {}) {
    this.#indexes = new Map(Object.entries(indexes).map(([name, values]) => [name, { values, keys: new Map<string, Set<string>>() }]));
  }

  /** Number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** Returns an object by its key, `namespace/name` or `name`. */
  get(key: string): Item | undefined {
    return this.#objects.get(key);
  }

  /** Returns all objects. */
  values(): IterableIterator<Item> {
    return this.#objects.values();
  }

  /** Returns the objects that an index lists under a value. @throws TypeError for an unknown index. */
  byIndex(name: string, value: string): readonly Item[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`the store has no index ${JSON.stringify(name)}`);
    return [...(index.keys.get(value) ?? [])].map((key) => this.#objects.get(key)!);
  }

  /** Calls a listener after each change. Returns a function that removes the listener. */
  onChange(listener: (change: ObjectChange<Item>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Replaces all objects. Listeners are not called for objects whose version is unchanged. */
  replace(objects: readonly Item[]): void {
    const absent = new Set(this.#objects.keys());
    for (const object of objects) {
      absent.delete(objectKey(object.metadata));
      this.put(object);
    }
    for (const key of absent) this.#remove(key);
  }

  /** Adds or changes an object. */
  put(object: Item): void {
    const key = objectKey(object.metadata);
    const before = this.#objects.get(key);
    if (before && isSameVersion(before, object)) return;
    if (before) this.#unindex(key, before);
    this.#objects.set(key, object);
    for (const { values, keys } of this.#indexes.values()) {
      for (const value of values(object)) {
        const found = keys.get(value);
        if (found) found.add(key);
        else keys.set(value, new Set([key]));
      }
    }
    this.#notify({ key, ...(before ? { before } : {}), after: object });
  }

  /** Removes an object. */
  delete(object: Item): void {
    this.#remove(objectKey(object.metadata));
  }

  #remove(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#unindex(key, before);
    this.#objects.delete(key);
    this.#notify({ key, before });
  }

  #unindex(key: string, object: Item): void {
    for (const { values, keys } of this.#indexes.values()) {
      for (const value of values(object)) {
        const found = keys.get(value);
        found?.delete(key);
        if (found?.size === 0) keys.delete(value);
      }
    }
  }

  #notify(change: ObjectChange<Item>): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function isSameVersion({ metadata: before }: KubernetesObject, { metadata: now }: KubernetesObject): boolean {
  return before.uid === now.uid && before.resourceVersion !== undefined && before.resourceVersion === now.resourceVersion;
}
