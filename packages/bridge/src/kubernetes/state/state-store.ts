// SPDX-License-Identifier: Apache-2.0
import type { ObjectStore } from "../machinery/cache/object-store.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import { ownerUid, stateIn, stateSecret, stateSecretName, type Secret, type StateOwner } from "./state-secret.ts";
import type { StoredState } from "./stored-state.ts";

/** Options of a {@link StateStore}. */
export interface StateStoreSettings {
  readonly client: ApiClient;
  /** Namespace for the states of cluster-scoped objects. */
  readonly clusterNamespace: string;
  /** A cache of the Secrets with states. Default: they are read from the API server. */
  readonly cache?: ObjectStore<Secret>;
}

/**
 * Stores states of resources in Secrets. All writes are conditional on the version that was read: a replica that has lost its shard during a
 * reconcile can neither overwrite nor delete the state that the next replica has stored.
 */
export class StateStore {
  readonly #settings: StateStoreSettings;

  constructor(settings: StateStoreSettings) {
    this.#settings = settings;
  }

  /**
   * Reads the state of a resource.
   *
   * @param options - `fresh`: reads from the API server instead of the cache. `trustsCache`: takes a state that the cache lacks as absent, without
   *   a request to the API server. Only for a resource that was not created yet; if a state exists nevertheless, the first write fails.
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

/** The stored state of one resource, as it was last read or written. */
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

  /** The state; undefined if none is stored. */
  get current(): StoredState | undefined {
    return this.#state;
  }

  /**
   * Replaces the state that was read.
   *
   * It takes no signal: the result of a provider's call must be stored even if the reconcile is aborted. For an object that is being deleted, no
   * Secret is created: the API server refuses new objects in a namespace that is being deleted, and the resource can be imported again.
   *
   * @throws ApiError if the stored state was changed since it was read (see `isConflict` and `isAlreadyExists`). The caller must discard its result.
   */
  async save(state: StoredState): Promise<void> {
    const wanted = stateSecret(this.#owner, this.#namespace, state);
    const before = this.#secret;
    const isUnchanged = before !== undefined && before.data?.["state"] === wanted.data?.["state"];
    const isOptional = before === undefined && this.#owner.metadata.deletionTimestamp !== undefined;
    if (!isUnchanged && !isOptional) {
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

  /** Reads the state again, from the API server. */
  async refresh(): Promise<void> {
    const reference = { namespace: this.#namespace, name: stateSecretName(ownerUid(this.#owner)) };
    this.#secret = await this.#client.find<Secret>(secrets, reference);
    this.#state = this.#secret && stateIn(this.#secret, this.#owner);
  }

  /** Deletes the state that was read. Called after the finalizer of the owner was removed. @throws As {@link save}. */
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
