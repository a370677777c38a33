// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { withConditions, type ConditionUpdate } from "../reconcile/conditions.ts";
import { managedFinalizer } from "../reconcile/managed-resource.ts";
import type { JsonObject } from "../values/json-value.ts";
import type { ComponentObject, ComponentStatus } from "./component-object.ts";

/** Fields of the status that are replaced as a whole; undefined removes one. */
export type StatusFields = {
  readonly [Name in "atProvider" | "openedAt" | "renewAt"]?: ComponentStatus[Name] | undefined;
};

/** Writes to one object, on the condition that it is the version that was read or written last. */
export class ComponentWriter {
  readonly #client: ApiClient;
  readonly #resource: ApiResource;
  #object: ComponentObject;

  constructor(client: ApiClient, resource: ApiResource, object: ComponentObject) {
    this.#client = client;
    this.#resource = resource;
    this.#object = object;
  }

  /** The object as it was read or written last. */
  get object(): ComponentObject {
    return this.#object;
  }

  /** Changes fields of `spec.forProvider`. */
  async patchParameters(forProvider: JsonObject, signal?: AbortSignal): Promise<void> {
    await this.#patch({ spec: { forProvider } }, signal);
  }

  async addFinalizer(signal?: AbortSignal): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    if (finalizers.includes(managedFinalizer)) return;
    await this.#patch({ metadata: { finalizers: [...finalizers, managedFinalizer] } }, signal);
  }

  async removeFinalizer(): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    if (!finalizers.includes(managedFinalizer)) return;
    await this.#patch({ metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== managedFinalizer) } });
  }

  /** Sets conditions and fields of the status. Writes nothing where nothing changes. */
  async setStatus(updates: readonly ConditionUpdate[], fields: StatusFields = {}): Promise<void> {
    const { status = {}, metadata } = this.#object;
    const current = status.conditions ?? [];
    const conditions = withConditions(current, updates, metadata.generation, new Date().toISOString());
    const changed = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(status[name as keyof StatusFields], value));
    if (conditions === current && changed.length === 0 && status.observedGeneration === metadata.generation) return;
    const removed = changed.filter(([name]) => typeof status[name as keyof StatusFields] === "object").map(([name]) => [name, null]);
    // A merge patch would keep members of an object that are gone.
    if (removed.length > 0) await this.#patch({ status: Object.fromEntries(removed) as object }, undefined, "status");
    const values = changed.map(([name, value]) => [name, value ?? null] as const);
    const patch = { conditions, observedGeneration: metadata.generation, ...Object.fromEntries(values) };
    await this.#patch({ status: patch }, undefined, "status");
  }

  async #patch(
    patch: { readonly metadata?: object; readonly spec?: object; readonly status?: object },
    signal?: AbortSignal,
    subresource?: string,
  ): Promise<void> {
    const { namespace, name, resourceVersion } = this.#object.metadata;
    const body = { ...patch, metadata: { ...patch.metadata, resourceVersion } };
    const options = { signal, ...(subresource === undefined ? {} : { subresource }) };
    this.#object = await this.#client.mergePatch<ComponentObject>(this.#resource, { namespace, name }, body, options);
  }
}
