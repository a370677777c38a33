// SPDX-License-Identifier: Apache-2.0
import { isSamePlan } from "./change-report.ts";
import {
  annotations,
  managedFinalizer,
  type AnnotationName,
  type ManagedResource,
  type ManagedResourceStatus,
} from "./managed-resource.ts";
import { ObjectWriter } from "./object-writer.ts";
import type { StatusUpdate } from "./status-patch.ts";

/** Values of annotations; null removes an annotation. */
export type AnnotationValues = { readonly [Name in AnnotationName]?: string | null };

/** Parts of the status of a resource that a step of a reconcile sets; null removes one. */
export type ResourceStatusUpdate = StatusUpdate<ManagedResourceStatus>;

/** Writes to the object of one resource: also the annotations, which record what was asked of the provider. */
export class ResourceWriter extends ObjectWriter<ManagedResource> {
  /** Changes annotations. @throws ApiError, also after a conflict. */
  async annotate(values: AnnotationValues, signal?: AbortSignal): Promise<void> {
    await this.patch({ metadata: { annotations: namedAnnotations(values) } }, { signal });
  }

  /** Records in one write that a creation begins, and adds the finalizer. @throws ApiError, also after a conflict. */
  async beginCreation(createPending: string, signal?: AbortSignal): Promise<void> {
    const { finalizers = [] } = this.object.metadata;
    const added = finalizers.includes(managedFinalizer) ? {} : { finalizers: [...finalizers, managedFinalizer] };
    await this.patch({ metadata: { ...added, annotations: namedAnnotations({ createPending }) } }, { signal });
  }

  /**
   * Changes annotations whatever the version of the object is. For what a provider has done: it must not be lost because the object has changed
   * meanwhile. Has no signal for the same reason.
   */
  async annotateAlways(values: AnnotationValues): Promise<void> {
    await this.patchAlways({ metadata: { annotations: namedAnnotations(values) } });
  }

  /** Whether the creation that began at this time is the last one that began, according to the API server. */
  async isCreating(createPending: string): Promise<boolean> {
    const current = await this.findCurrent();
    return current?.metadata.annotations?.[annotations.createPending] === createPending;
  }

  /** Sets parts of the status. A plan that stays the same keeps its time. Writes nothing if nothing changes. */
  override async setStatus(update: ResourceStatusUpdate): Promise<void> {
    const { plan, ...others } = update;
    const isPlanReported = plan !== undefined && isSamePlan(this.object.status?.plan, plan);
    await super.setStatus(isPlanReported ? others : update);
  }

  /** Sets parts of the status whatever the version of the object is. For the result of an operation: its object may have changed meanwhile. */
  async setStatusAlways(update: ResourceStatusUpdate): Promise<void> {
    await this.repeatOnConflict(() => this.setStatus(update));
  }

  /** Removes the finalizer whatever the version of the object is: the resource is gone. */
  async removeFinalizerAlways(): Promise<void> {
    await this.repeatOnConflict(() => this.removeFinalizer());
  }
}

function namedAnnotations(values: AnnotationValues): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [annotations[name as AnnotationName], value ?? null]));
}
