// SPDX-License-Identifier: Apache-2.0
import type { ObjectStore } from "../machinery/cache/object-store.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import { ownerUid, stateIn, stateSecret, stateSecretName, type Secret, type StateOwner } from "./state-secret.ts";
import type { StoredState } from "./stored-state.ts";

/** Settings of a {@link StateStore}. */
export interface StateStoreSettings {
  readonly client: ApiClient;
  /** Namespace of the states of cluster-scoped resources. */
  readonly clusterNamespace: string;
  /** Secrets with states, in memory. Default: they are read from the API server. */
  readonly cache?: ObjectStore<Secret>;
}

/**
 * States of resources in Secrets. All writes are conditional: a replica that has lost its shard while it worked can neither overwrite nor
 * delete what the next one has stored.
 */
export class StateStore {
  readonly #settings: StateStoreSettings;

  constructor(settings: StateStoreSettings) {
    this.#settings = settings;
  }

  /**
   * Reads the state of a resource.
   *
   * @param options - `fresh`: reads from the API server, and not from the cache. `trustsCache`: a state that the cache does not have is not
   *   read from the API server either, for a resource of which nothing was created yet; a state that exists after all makes the first write
   *   fail.
   * @throws BridgeError `INVALID_STATE`; ApiError.
   */
  async open(
    owner: StateOwner,
    options: { readonly fresh?: boolean; readonly trustsCache?: boolean; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ResourceState> {
    const { client, clusterNamespace, cache } = this.#settings;
    const namespace = owner.metadata.namespace ?? clusterNamespace;
    const reference = { namespace, name: stateSecretName(ownerUid(owner)) };
    const cached = options.fresh ? undefined : cache?.get(objectKey(reference));
    const isAbsent = cached === undefined && cache !== undefined && options.trustsCache === true;
    const secret = isAbsent ? undefined : (cached ?? (await client.find<Secret>(secrets, reference, { signal: options.signal })));
    return new ResourceState(client, owner, namespace, secret);
  }
}

/** The state of one resource, as it was read. */
export class ResourceState {
  readonly #client: ApiClient;
  readonly #owner: StateOwner;
  readonly #namespace: string;
  #secret: Secret | undefined;
  #state: StoredState | undefined;

  constructor(client: ApiClient, owner: StateOwner, namespace: string, secret: Secret | undefined) {
    this.#client = client;
    this.#owner = owner;
    this.#namespace = namespace;
    this.#secret = secret;
    this.#state = secret && stateIn(secret, owner);
  }

  /** Undefined where nothing is stored. */
  get current(): StoredState | undefined {
    return this.#state;
  }

  /**
   * Stores a state in place of the one that was read.
   *
   * Has no signal: what a provider has done must be stored even where the work is being aborted.
   *
   * @throws ApiError, see `isConflict` and `isAlreadyExists`, where the stored state is another one meanwhile: the caller drops its outcome.
   */
  async save(state: StoredState): Promise<void> {
    const wanted = stateSecret(this.#owner, this.#namespace, state);
    const before = this.#secret;
    const isUnchanged = before !== undefined && before.data?.["state"] === wanted.data?.["state"];
    if (!isUnchanged) {
      const { uid, resourceVersion } = before?.metadata ?? {};
      this.#secret = before
        ? await this.#client.replace<Secret>(secrets, {
            ...wanted,
            metadata: { ...wanted.metadata, uid: uid!, resourceVersion: resourceVersion! },
          })
        : await this.#client.create<Secret>(secrets, wanted);
    }
    this.#state = state;
  }

  /** Reads the state again. */
  async refresh(): Promise<void> {
    const reference = { namespace: this.#namespace, name: stateSecretName(ownerUid(this.#owner)) };
    this.#secret = await this.#client.find<Secret>(secrets, reference);
    this.#state = this.#secret && stateIn(this.#secret, this.#owner);
  }

  /** Deletes the state that was read, after its object is gone. @throws As {@link save}. */
  async delete(): Promise<void> {
    const secret = this.#secret;
    if (secret === undefined) return;
    const { namespace, name, uid, resourceVersion } = secret.metadata;
    try {
      await this.#client.delete(secrets, { namespace, name }, { preconditions: { uid: uid!, resourceVersion: resourceVersion! } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#secret = undefined;
    this.#state = undefined;
  }
}
