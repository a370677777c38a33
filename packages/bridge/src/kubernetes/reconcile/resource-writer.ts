// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { retryOnConflict } from "../machinery/client/retry-on-conflict.ts";
import type { JsonObject } from "../values/json-value.ts";
import { withConditions, type ConditionUpdate } from "./conditions.ts";
import { annotations, managedFinalizer, type AnnotationName, type ManagedResource } from "./managed-resource.ts";

/** Values of annotations; null removes one. */
export type AnnotationValues = { readonly [Name in AnnotationName]?: string | null };

/**
 * Writes to one object. Every write but those after a creation is conditional on the version that was read, so that a reconcile that began
 * with an old version changes nothing.
 */
export class ResourceWriter {
  readonly #client: ApiClient;
  readonly #resource: ApiResource;
  #object: ManagedResource;

  constructor(client: ApiClient, resource: ApiResource, object: ManagedResource) {
    this.#client = client;
    this.#resource = resource;
    this.#object = object;
  }

  /** The object as it was read or written last. */
  get object(): ManagedResource {
    return this.#object;
  }

  /** Changes annotations. @throws ApiError, also for a conflict. */
  async annotate(values: AnnotationValues, signal?: AbortSignal): Promise<void> {
    await this.#patch({ metadata: { annotations: namedAnnotations(values) } }, signal);
  }

  /** Records that a creation begins, and adds the finalizer in the same write. @throws ApiError, also for a conflict. */
  async beginCreation(createPending: string, signal?: AbortSignal): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    const added = finalizers.includes(managedFinalizer) ? {} : { finalizers: [...finalizers, managedFinalizer] };
    await this.#patch({ metadata: { ...added, annotations: namedAnnotations({ createPending }) } }, signal);
  }

  /**
   * Changes annotations whatever the version of the object is, as long as it is the same object. For what a provider has done: it must not be
   * lost because the object changed meanwhile. Has no signal for the same reason.
   */
  async annotateAlways(values: AnnotationValues): Promise<void> {
    const { namespace, name, uid } = this.#object.metadata;
    const metadata = { uid, annotations: namedAnnotations(values) };
    this.#object = await retryOnConflict(() => this.#client.mergePatch<ManagedResource>(this.#resource, { namespace, name }, { metadata }));
  }

  /** Whether the creation that began at this time is the last one that began, according to the API server. */
  async isCreating(createPending: string): Promise<boolean> {
    const { namespace, name, uid } = this.#object.metadata;
    const current = await this.#client.find<ManagedResource>(this.#resource, { namespace, name });
    return current?.metadata.uid === uid && current?.metadata.annotations?.[annotations.createPending] === createPending;
  }

  /** Adds the finalizer. */
  async addFinalizer(signal?: AbortSignal): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    if (finalizers.includes(managedFinalizer)) return;
    await this.#patch({ metadata: { finalizers: [...finalizers, managedFinalizer] } }, signal);
  }

  /** Removes the finalizer: an object that is being deleted is gone after the last one. */
  async removeFinalizer(): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    if (!finalizers.includes(managedFinalizer)) return;
    await this.#patch({ metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== managedFinalizer) } });
  }

  /** Changes fields of `spec.forProvider`. */
  async patchParameters(forProvider: JsonObject, signal?: AbortSignal): Promise<void> {
    await this.#patch({ spec: { forProvider } }, signal);
  }

  /** Sets conditions and, where it is given, `status.atProvider`. Writes nothing where nothing changes. */
  async setStatus(conditions: readonly ConditionUpdate[], atProvider?: JsonObject): Promise<void> {
    const { status = {}, metadata } = this.#object;
    const current = status.conditions ?? [];
    const updated = withConditions(current, conditions, metadata.generation, new Date().toISOString());
    const isObserved = atProvider === undefined || isDeepStrictEqual(status.atProvider ?? {}, atProvider);
    if (updated === current && isObserved && status.observedGeneration === metadata.generation) return;
    const patch = {
      conditions: updated,
      observedGeneration: metadata.generation,
      ...(atProvider === undefined || isObserved ? {} : { atProvider: replacing(status.atProvider, atProvider) }),
    };
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
    this.#object = await this.#client.mergePatch<ManagedResource>(this.#resource, { namespace, name }, body, options);
  }
}

function namedAnnotations(values: AnnotationValues): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [annotations[name as AnnotationName], value ?? null]));
}

/** Returns a merge patch that makes an object equal to another one: members that are gone are null. */
function replacing(before: JsonObject | undefined, after: JsonObject): JsonObject {
  const patch: Record<string, JsonObject[string]> = {};
  for (const name of Object.keys(before ?? {})) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = before?.[name];
    if (isDeepStrictEqual(old, value)) continue;
    patch[name] = isObject(old) && isObject(value) ? replacing(old, value) : value;
  }
  return patch;
}

function isObject(value: JsonObject[string] | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
