// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../machinery/client/api-client.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { retryOnConflict } from "../machinery/client/retry-on-conflict.ts";
import type { JsonObject } from "../values/json-value.ts";
import { managedFinalizer, type ManagedResource } from "./managed-resource.ts";
import { statusPatch, type StatusUpdate } from "./status-patch.ts";

/** A merge patch for an object. */
export interface ObjectPatch {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** Options of a patch. */
export interface PatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly subresource?: string;
}

/**
 * Writes to one object. Writes are conditional on the version that was read or written last, so that a reconcile of a stale version changes
 * nothing; the methods that are not say so.
 */
export class ObjectWriter<Owner extends ManagedResource> {
  readonly #client: ApiClient;
  readonly #resource: ApiResource;
  #object: Owner;

  constructor(client: ApiClient, resource: ApiResource, object: Owner) {
    this.#client = client;
    this.#resource = resource;
    this.#object = object;
  }

  /** The object, as it was last read or written. */
  get object(): Owner {
    return this.#object;
  }

  /** Adds the finalizer. */
  async addFinalizer(signal?: AbortSignal): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    if (finalizers.includes(managedFinalizer)) return;
    await this.patch({ metadata: { finalizers: [...finalizers, managedFinalizer] } }, { signal });
  }

  /** Removes the finalizer. An object that is being deleted no longer exists after its last finalizer was removed. */
  async removeFinalizer(): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    if (!finalizers.includes(managedFinalizer)) return;
    await this.patch({ metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== managedFinalizer) } });
  }

  /** Changes fields of `spec.forProvider`. */
  async patchParameters(forProvider: JsonObject, signal?: AbortSignal): Promise<void> {
    await this.patch({ spec: { forProvider } }, { signal });
  }

  /** Sets parts of the status. Writes nothing if nothing changes. @throws ApiError, also after a conflict. */
  async setStatus(update: StatusUpdate<NonNullable<Owner["status"]>>): Promise<void> {
    const status = statusPatch(this.#object, update);
    if (status) await this.patch({ status }, { subresource: "status" });
  }

  /** Sends a merge patch. @throws ApiError, also after a conflict. */
  async patch(patch: ObjectPatch, options: PatchOptions = {}): Promise<void> {
    const { resourceVersion } = this.#object.metadata;
    this.#object = await this.#send({ ...patch, metadata: { ...patch.metadata, resourceVersion } }, options);
  }

  /** Sends a merge patch whatever the version of the object is, as long as it is the same object. */
  async patchAlways(patch: ObjectPatch): Promise<void> {
    const { uid } = this.#object.metadata;
    this.#object = await retryOnConflict(() => this.#send({ ...patch, metadata: { ...patch.metadata, uid } }));
  }

  /** Makes conditional writes whatever the version is: after a conflict, reads the object and repeats them. Does nothing if the object is gone. */
  async repeatOnConflict(write: () => Promise<void>): Promise<void> {
    let isStale = false;
    await retryOnConflict(async () => {
      if (isStale) {
        const current = await this.findCurrent();
        if (current === undefined) return;
        this.#object = current;
      }
      isStale = true;
      await write();
    }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  /** Reads the object from the API server. Undefined if it is gone, even if another object has its name now. */
  async findCurrent(): Promise<Owner | undefined> {
    const { namespace, name, uid } = this.#object.metadata;
    const current = await this.#client.find<Owner>(this.#resource, { namespace, name });
    return current?.metadata.uid === uid ? current : undefined;
  }

  async #send(body: ObjectPatch, options: PatchOptions = {}): Promise<Owner> {
    const { namespace, name } = this.#object.metadata;
    return await this.#client.mergePatch<Owner>(this.#resource, { namespace, name }, body, options);
  }
}
