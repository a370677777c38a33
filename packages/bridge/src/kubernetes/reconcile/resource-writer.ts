// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { retryOnConflict } from "../machinery/client/retry-on-conflict.ts";
import type { JsonObject } from "../values/json-value.ts";
import { isSamePlan } from "./change-report.ts";
import { withConditions, type ConditionUpdate } from "./conditions.ts";
import {
  annotations,
  managedFinalizer,
  type AnnotationName,
  type DriftStatus,
  type ManagedResource,
  type ManagedResourceStatus,
  type OperationStatus,
  type PlanStatus,
} from "./managed-resource.ts";

/** Values of annotations; null removes an annotation. */
export type AnnotationValues = { readonly [Name in AnnotationName]?: string | null };

/** Parts of a status that a step of a reconcile sets; null removes one. */
export interface StatusUpdate {
  readonly conditions?: readonly ConditionUpdate[];
  readonly atProvider?: JsonObject;
  readonly plan?: PlanStatus | null;
  readonly drift?: DriftStatus;
  readonly operation?: OperationStatus | null;
}

/**
 * Writes to one object. All writes except those after a change of the provider are conditional on the version that was read, so that a reconcile of a
 * stale version changes nothing.
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

  /** The object, as it was last read or written. */
  get object(): ManagedResource {
    return this.#object;
  }

  /** Changes annotations. @throws ApiError, also after a conflict. */
  async annotate(values: AnnotationValues, signal?: AbortSignal): Promise<void> {
    await this.#patch({ metadata: { annotations: namedAnnotations(values) } }, signal);
  }

  /** Records in one write that a creation begins, and adds the finalizer. @throws ApiError, also after a conflict. */
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

  /** Removes the finalizer. An object that is being deleted no longer exists after its last finalizer was removed. */
  async removeFinalizer(): Promise<void> {
    const { finalizers = [] } = this.#object.metadata;
    if (!finalizers.includes(managedFinalizer)) return;
    await this.#patch({ metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== managedFinalizer) } });
  }

  /** Changes fields of `spec.forProvider`. */
  async patchParameters(forProvider: JsonObject, signal?: AbortSignal): Promise<void> {
    await this.#patch({ spec: { forProvider } }, signal);
  }

  /** Sets parts of the status. Writes nothing where nothing changes. @throws ApiError, also for a conflict. */
  async setStatus(update: StatusUpdate): Promise<void> {
    const patch = statusPatch(this.#object, update);
    if (patch) await this.#patch({ status: patch }, undefined, "status");
  }

  /** Sets parts of the status whatever the version of the object is. For the result of an operation: its object may have changed meanwhile. */
  async setStatusAlways(update: StatusUpdate): Promise<void> {
    await this.#always(() => this.setStatus(update));
  }

  /** Removes the finalizer whatever the version of the object is: the resource is gone. */
  async removeFinalizerAlways(): Promise<void> {
    await this.#always(() => this.removeFinalizer());
  }

  /** Writes, and after a conflict reads the object and writes again. Does nothing where the object is gone. */
  async #always(write: () => Promise<void>): Promise<void> {
    const { uid } = this.#object.metadata;
    let isStale = false;
    await retryOnConflict(async () => {
      if (isStale) {
        const { namespace, name } = this.#object.metadata;
        const current = await this.#client.find<ManagedResource>(this.#resource, { namespace, name });
        if (current?.metadata.uid !== uid) return;
        this.#object = current!;
      }
      isStale = true;
      await write();
    }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
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

/** Returns a merge patch for the status of an object; undefined where nothing changes. */
function statusPatch({ status = {}, metadata }: ManagedResource, update: StatusUpdate): Readonly<Record<string, unknown>> | undefined {
  const patch: Record<string, unknown> = {};
  const { conditions, ...parts } = update;
  if (conditions !== undefined) {
    const current = status.conditions ?? [];
    const updated = withConditions(current, conditions, metadata.generation, new Date().toISOString());
    if (updated !== current) patch["conditions"] = updated;
    if (status.observedGeneration !== metadata.generation) patch["observedGeneration"] = metadata.generation;
  }
  for (const [name, wanted] of Object.entries(parts) as [keyof typeof parts, (typeof parts)[keyof typeof parts]][]) {
    if (wanted === undefined || isReported(status, name, wanted)) continue;
    patch[name] = wanted === null ? null : replacing(status[name] as JsonObject | undefined, wanted as JsonObject);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Whether a status has a part already. The time of a plan that stays the same stays, too. */
function isReported(status: ManagedResourceStatus, name: Exclude<keyof StatusUpdate, "conditions">, wanted: object | null): boolean {
  const current = status[name];
  if (current === undefined) return wanted === null || (name === "atProvider" && Object.keys(wanted).length === 0);
  return name === "plan" ? isSamePlan(status.plan, wanted as PlanStatus | null) : isDeepStrictEqual(current, wanted);
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
