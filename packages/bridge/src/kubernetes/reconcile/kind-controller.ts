// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import { ObjectCache } from "../machinery/cache/object-cache.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import { Controller, type ControllerMetrics } from "../machinery/controller/controller.ts";
import type { ShardLeases } from "../machinery/lease/shard-leases.ts";
import { shardOf } from "../machinery/lease/shard.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import { WorkQueue, type WorkQueueSettings } from "../machinery/queue/work-queue.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ManagedResource } from "./managed-resource.ts";
import { RunningOperations, type ProviderLogLine } from "./running-operations.ts";
import type { ResourceReconcilerSettings } from "./reconcile-work.ts";
import { ResourceReconciler } from "./resource-reconciler.ts";

/** Settings of a {@link KindController}. */
export interface KindControllerSettings extends Omit<ResourceReconcilerSettings, "find" | "resource" | "operations"> {
  /** Version of the kind's API, such as `v1alpha1`. */
  readonly version: string;
  /** Namespace whose objects are managed. Default: all. */
  readonly namespace?: string;
  /** Called after an object is gone, to forget what it was connected to. */
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
export class KindController {
  readonly #settings: KindControllerSettings;
  readonly #cache: ObjectCache<ManagedResource>;
  readonly #queue: WorkQueue;
  readonly #operations: RunningOperations;
  readonly #controller: Controller;

  constructor(settings: KindControllerSettings) {
    const { client, kind, version, namespace, shards } = settings;
    const resource = apiResourceOf(kind, version);
    this.#settings = settings;
    this.#cache = new ObjectCache<ManagedResource>(client, resource, {
      namespace,
      onStep: (step) => {
        if (step.kind === "failed") settings.log.warn("the objects cannot be watched", { kind: kind.names.kind, error: step.error });
      },
    });
    this.#queue = new WorkQueue(settings.queue);
    const find = (key: string): ManagedResource | undefined => this.#cache.objects.get(key);
    this.#operations = new RunningOperations({
      ...(settings.maxOperations === undefined ? {} : { maximum: settings.maxOperations }),
      onEnd: (key, succeeded) => (succeeded ? this.#queue.add(key) : this.#queue.addAfterFailure(key)),
    });
    const reconciler = new ResourceReconciler({ ...settings, resource, find, operations: this.#operations });
    const leaseFor = (key: string): AbortSignal | undefined => {
      const uid = find(key)?.metadata.uid;
      return uid !== undefined && shards?.accepts(uid) ? shards.signalFor(uid) : undefined;
    };
    this.#controller = new Controller({
      ...settings,
      name: kind.names.kind,
      queue: this.#queue,
      reconcile: (key, context) => reconciler.reconcile(key, context),
      ...(shards ? { leaseFor } : {}),
    });
    this.#cache.objects.onChange(({ key, before, after }) => {
      if (before && before.metadata.uid !== after?.metadata.uid) {
        this.#disconnect(before);
        this.#operations.forget(before.metadata.uid!);
      }
      if (after === undefined) this.#queue.remove(key);
      else if (before === undefined || isRelevant(before, after)) this.#queue.add(key);
    });
  }

  /** Resolves when all objects are known. */
  get synced(): Promise<void> {
    return this.#cache.synced;
  }

  /** The reasons why the controller is not ready; empty if it is. */
  get unready(): readonly string[] {
    return this.#cache.isSynced ? [] : [`the objects of kind ${this.#settings.kind.names.kind} are not listed yet`];
  }

  /**
   * Reconciles objects now, such as those of a shard that was acquired, or those that use a configuration of the provider that has changed.
   *
   * @param isConcerned - Default: all objects.
   */
  reconcileAll(isConcerned: (object: ManagedResource) => boolean = () => true): void {
    for (const object of this.#cache.objects.values()) if (isConcerned(object)) this.#queue.add(objectKey(object.metadata));
  }

  /** Reconciles the objects of a shard now. */
  reconcileShard(shard: number, shards: number): void {
    this.reconcileAll(({ metadata }) => shardOf(metadata.uid!, shards) === shard);
  }

  /** Shows a log line of the provider as the progress of the operation that has written it. Give it the records of the provider's `onLog`. */
  addLogLine(line: ProviderLogLine): void {
    this.#operations.addLogLine(line);
  }

  /** Settles when no object of a shard is being reconciled, and none of its operations runs. Objects that are gone count as part of it. */
  async drained(shard: number, shards: number): Promise<void> {
    await this.#queue.settled((key) => {
      const uid = this.#cache.objects.get(key)?.metadata.uid;
      return uid === undefined || shardOf(uid, shards) === shard;
    });
    await this.#operations.settled((uid) => shardOf(uid, shards) === shard);
  }

  #disconnect(object: ManagedResource): void {
    const { disconnect, shards, log, kind } = this.#settings;
    const { uid } = object.metadata;
    if (disconnect === undefined || (shards && !(uid !== undefined && shards.accepts(uid)))) return;
    disconnect(object).catch((error: unknown) => {
      log.warn("an object that is gone could not be disconnected", { controller: kind.names.kind, key: objectKey(object.metadata), error });
    });
  }

  /** Works until `draining` is aborted, and returns when all work has ended. `ending` aborts work in flight. */
  async run(draining: AbortSignal, ending: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const watching = this.#cache.run(stop.signal);
    await this.#controller.run(draining, ending);
    await this.#operations.settled(() => true);
    // The objects must be up to date until work in flight has ended.
    stop.abort();
    await watching;
  }
}

/** Whether a change requires a reconcile. Changes of the status, which the controller makes itself, do not. */
function isRelevant({ metadata: before }: ManagedResource, { metadata: after }: ManagedResource): boolean {
  return (
    before.uid !== after.uid ||
    before.generation !== after.generation ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    !isDeepStrictEqual(before.annotations, after.annotations) ||
    !isDeepStrictEqual(before.labels, after.labels) ||
    !isDeepStrictEqual(before.finalizers, after.finalizers)
  );
}
