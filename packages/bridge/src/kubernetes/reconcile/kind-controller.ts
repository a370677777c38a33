// SPDX-License-Identifier: Apache-2.0
import type { ApiResource } from "../machinery/client/api-resource.ts";
import type { ControllerMetrics } from "../machinery/controller/controller.ts";
import type { ShardLeases } from "../machinery/lease/shard-leases.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import type { WorkQueueSettings } from "../machinery/queue/work-queue.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ManagedResource } from "./managed-resource.ts";
import { ObjectController } from "./object-controller.ts";
import { RunningOperations, type ProviderLogLine } from "./running-operations.ts";
import type { ResourceReconcilerSettings } from "./reconcile-work.ts";
import { ResourceReconciler } from "./resource-reconciler.ts";

/** Settings of a {@link KindController}. */
export interface KindControllerSettings extends Omit<ResourceReconcilerSettings, "find" | "resource" | "operations"> {
  /** Version of the kind's API, such as `v1alpha1`. */
  readonly version: string;
  /** Namespace whose objects are managed. Default: all. */
  readonly namespace?: string;
  /** Called after an object is gone, by the replica that managed it, to forget what it was connected to. */
  readonly disconnect?: (owner: ManagedResource) => Promise<void>;
  readonly log: StructuredLog;
  readonly metrics?: ControllerMetrics;
  /** Shards of the objects. Default: this replica manages all objects. */
  readonly shards?: ShardLeases;
  /** Number of objects that are reconciled at once. Default: 16. */
  readonly workers?: number;
  /** Time limit of a reconcile without the changes that the provider makes, in milliseconds. Default: 90,000. */
  readonly timeoutMs?: number;
  /** Rates of repeated reconciles. */
  readonly queue?: WorkQueueSettings;
  /** Number of asynchronous operations that run at once, for a kind with the rule `asynchronous`. Default: 64. */
  readonly maxOperations?: number;
}

/** Returns a kind as a resource of the API. */
export function apiResourceOf({ group, names, scope }: KindMapping, version: string): ApiResource {
  return { group, version, kind: names.kind, plural: names.plural, namespaced: scope === "Namespaced" };
}

/** Manages the objects of one kind. */
export class KindController extends ObjectController<ManagedResource> {
  readonly #operations: RunningOperations;

  constructor(settings: KindControllerSettings) {
    const { kind, version, maxOperations } = settings;
    const resource = apiResourceOf(kind, version);
    const operations = new RunningOperations({
      ...(maxOperations === undefined ? {} : { maximum: maxOperations }),
      onEnd: (key, succeeded) => (succeeded ? this.queue.add(key) : this.queue.addAfterFailure(key)),
    });
    const reconciler = new ResourceReconciler({ ...settings, resource, find: (key) => this.find(key), operations });
    super({
      ...settings,
      resource,
      reconcile: (key, context) => reconciler.reconcile(key, context),
      watchedMetadata: ["annotations", "labels", "finalizers"],
      onGone: ({ metadata }) => operations.forget(metadata.uid!),
      settled: (isConcerned) => operations.settled(isConcerned),
    });
    this.#operations = operations;
  }

  /** Shows a log line of the provider as the progress of the operation that has written it. Give it the records of the provider's `onLog`. */
  addLogLine(line: ProviderLogLine): void {
    this.#operations.addLogLine(line);
  }
}
