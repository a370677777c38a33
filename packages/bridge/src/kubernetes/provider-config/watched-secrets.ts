// SPDX-License-Identifier: Apache-2.0
import { ObjectCache } from "../machinery/cache/object-cache.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import type { Secret } from "../state/state-secret.ts";

/** The address of a Secret. */
export interface SecretPlace {
  readonly namespace: string;
  readonly name: string;
}

interface Watch {
  readonly cache: ObjectCache<Secret>;
  /** Resolves when the Secret was read, or could not be read. */
  readonly attempted: Promise<void>;
  /** The reason of the last failure; undefined while the watch works. */
  failure: unknown;
  readonly users: Set<string>;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Caches single Secrets, each kept up to date by a watch of its own. A controller that uses few Secrets needs no permission to read all, and no
 * memory for the others.
 */
export class WatchedSecrets {
  readonly #client: ApiClient;
  readonly #onChange: (user: string) => void;
  readonly #watches = new Map<string, Watch>();

  /** @param onChange - Called for each user of a Secret that has changed. */
  constructor(client: ApiClient, onChange: (user: string) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /**
   * Returns Secrets for a user, and from now on watches only these for the user. A Secret that does not exist is undefined.
   *
   * @throws ApiError if a Secret cannot be read.
   */
  async use(user: string, places: readonly SecretPlace[]): Promise<(place: SecretPlace) => Secret | undefined> {
    const wanted = new Map(places.map((place) => [keyOf(place), place]));
    for (const [key, place] of wanted) this.#watch(key, place).users.add(user);
    for (const [key, watch] of this.#watches) if (!wanted.has(key)) this.#drop(key, watch, user);
    for (const key of wanted.keys()) {
      const watch = this.#watches.get(key);
      await watch?.attempted;
      if (watch && !watch.cache.isSynced) throw watch.failure;
    }
    return (place) => this.#watches.get(keyOf(place))?.cache.objects.get(keyOf(place));
  }

  /** Ends the watches for a user. */
  forget(user: string): void {
    for (const [key, watch] of this.#watches) this.#drop(key, watch, user);
  }

  /** Ends all watches. */
  async close(): Promise<void> {
    const ended = [...this.#watches.values()].map((watch) => {
      watch.stop.abort();
      return watch.ended;
    });
    this.#watches.clear();
    await Promise.all(ended);
  }

  #watch(key: string, { namespace, name }: SecretPlace): Watch {
    const known = this.#watches.get(key);
    if (known) return known;
    const { promise: attempted, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    const cache = new ObjectCache<Secret>(this.#client, secrets, {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      onStep: (step) => {
        if (step.kind === "failed") watch.failure = step.error;
        if (step.kind === "failed" || step.kind === "watch") resolve();
      },
    });
    const watch: Watch = { cache, attempted, failure: undefined, users: new Set(), stop, ended: cache.run(stop.signal) };
    cache.objects.onChange(() => {
      // The first list is not a change.
      if (!cache.isSynced) return;
      for (const user of watch.users) this.#onChange(user);
    });
    void this.#reportRecovery(watch);
    this.#watches.set(key, watch);
    return watch;
  }

  /** Reports a Secret that can be read after all, because it may have changed in the meantime. */
  async #reportRecovery(watch: Watch): Promise<void> {
    await watch.cache.synced;
    if (watch.failure !== undefined) for (const user of watch.users) this.#onChange(user);
  }

  #drop(key: string, watch: Watch, user: string): void {
    if (!watch.users.delete(user) || watch.users.size > 0) return;
    watch.stop.abort();
    this.#watches.delete(key);
  }
}

function keyOf({ namespace, name }: SecretPlace): string {
  return `${namespace}/${name}`;
}
