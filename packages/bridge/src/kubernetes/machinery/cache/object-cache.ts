// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../client/api-client.ts";
import type { ApiResource } from "../client/api-resource.ts";
import type { KubernetesObject } from "../client/kubernetes-object.ts";
import { ObjectStore, type IndexFunction } from "./object-store.ts";
import { Reflector, type ReflectorSettings } from "./reflector.ts";

/** Options of an {@link ObjectCache}. */
export interface ObjectCacheSettings<Item extends KubernetesObject> extends ReflectorSettings {
  /** Indexes of the store, by name. */
  readonly indexes?: Readonly<Record<string, IndexFunction<Item>>>;
  /** Called for each object before it is stored, to save memory. Default: drops `metadata.managedFields`. */
  readonly transform?: (object: Item) => Item;
}

/** The objects of one kind in memory, kept up to date by a watch. They can be older than the objects of the API server. */
export class ObjectCache<Item extends KubernetesObject> {
  readonly objects: ObjectStore<Item>;
  /** Resolves after the first complete list. */
  readonly synced: Promise<void>;
  readonly #reflector: Reflector<Item>;
  #isSynced = false;

  constructor(client: ApiClient, resource: ApiResource, settings: ObjectCacheSettings<Item> = {}) {
    const { transform = withoutManagedFields } = settings;
    const store = new ObjectStore<Item>(settings.indexes);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.objects = store;
    this.synced = promise;
    const target = {
      replace: (objects: readonly Item[]): void => {
        store.replace(objects.map(transform));
        this.#isSynced = true;
        resolve();
      },
      put: (object: Item): void => store.put(transform(object)),
      delete: (object: Item): void => store.delete(object),
    };
    this.#reflector = new Reflector(client, resource, target, settings);
  }

  /** Whether the first list is complete. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Keeps the cache up to date until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#reflector.run(signal);
  }
}

/** Returns an object without `managedFields`, the record of which client set which field. It is often half of the size of an object. */
export function withoutManagedFields<Item extends KubernetesObject>(object: Item): Item {
  const { managedFields: _, ...metadata } = object.metadata as Item["metadata"] & { readonly managedFields?: unknown };
  return { ...object, metadata };
}
