// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import { ObjectCache } from "../machinery/cache/object-cache.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import { Controller, type ControllerMetrics, type Reconcile } from "../machinery/controller/controller.ts";
import type { ShardLeases } from "../machinery/lease/shard-leases.ts";
import { shardOf } from "../machinery/lease/shard.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import { WorkQueue, type WorkQueueSettings } from "../machinery/queue/work-queue.ts";
import type { ManagedResource } from "./managed-resource.ts";

/** Settings of an {@link ObjectController}. */
export interface ObjectControllerSettings<Owner extends ManagedResource> {
  readonly client: ApiClient;
  /** The kind as the API serves it. */
  readonly resource: ApiResource;
  /** Namespace whose objects are managed. Default: all. */
  readonly namespace?: string;
  /** Brings an object into its desired state. */
  readonly reconcile: Reconcile;
  /** Parts of the metadata whose changes require a reconcile. Those of the spec and requested deletions always do. */
  readonly watchedMetadata: readonly ("annotations" | "labels" | "finalizers")[];
  /** Called after an object is gone. */
  readonly onGone?: (object: Owner) => void;
  /** Called after an object is gone, by the replica that managed it, to forget what the object was connected to. */
  readonly disconnect?: ((object: Owner) => Promise<void>) | undefined;
  /** Waits for work on objects that goes on after their reconciles. Default: there is none. */
  readonly settled?: (isConcerned: (uid: string) => boolean) => Promise<void>;
  readonly log: StructuredLog;
  readonly metrics?: ControllerMetrics;
  /** Shards of the objects. Default: this replica manages all objects. */
  readonly shards?: ShardLeases;
  /** Number of objects that are reconciled at once. Default: 16. */
  readonly workers?: number;
  /** Time limit of a reconcile, in milliseconds. Default: 90,000. */
  readonly timeoutMs?: number;
  /** Rates of repeated reconciles. */
  readonly queue?: WorkQueueSettings;
}

/** Watches the objects of one kind, and reconciles those that change and whose shard this replica holds. A base class: subclasses define the reconcile. */
export class ObjectController<Owner extends ManagedResource> {
  readonly #settings: ObjectControllerSettings<Owner>;
  readonly #cache: ObjectCache<Owner>;
  readonly #queue: WorkQueue;
  readonly #controller: Controller;

  protected constructor(settings: ObjectControllerSettings<Owner>) {
    const { client, resource, namespace, shards, log, watchedMetadata } = settings;
    this.#settings = settings;
    this.#cache = new ObjectCache<Owner>(client, resource, {
      namespace,
      onStep: (step) => {
        if (step.kind === "failed") log.warn("the objects cannot be watched", { kind: resource.kind, error: step.error });
      },
    });
    this.#queue = new WorkQueue(settings.queue);
    const leaseFor = (key: string): AbortSignal | undefined => {
      const uid = this.find(key)?.metadata.uid;
      return uid !== undefined && shards?.accepts(uid) ? shards.signalFor(uid) : undefined;
    };
    this.#controller = new Controller({ ...settings, name: resource.kind, queue: this.#queue, ...(shards ? { leaseFor } : {}) });
    this.#cache.objects.onChange(({ key, before, after }) => {
      if (before && before.metadata.uid !== after?.metadata.uid) this.#onGone(before);
      if (after === undefined) this.#queue.remove(key);
      else if (before === undefined || isRelevant(before, after, watchedMetadata)) this.#queue.add(key);
    });
  }

  /** Resolves when all objects are known. */
  get synced(): Promise<void> {
    return this.#cache.synced;
  }

  /** The reasons why the controller is not ready; empty if it is. */
  get unready(): readonly string[] {
    return this.#cache.isSynced ? [] : [`the objects of kind ${this.#settings.resource.kind} are not listed yet`];
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

  /** Settles when no work on the objects of a shard is in progress, such as a reconcile or an operation. Objects that are gone count as part of it. */
  async drained(shard: number, shards: number): Promise<void> {
    await this.#queue.settled((key) => {
      const uid = this.find(key)?.metadata.uid;
      return uid === undefined || shardOf(uid, shards) === shard;
    });
    await this.#settings.settled?.((uid) => shardOf(uid, shards) === shard);
  }

  /** Works until `draining` is aborted, and returns when all work has ended. `ending` aborts work in flight. */
  async run(draining: AbortSignal, ending: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const watching = this.#cache.run(stop.signal);
    await this.#controller.run(draining, ending);
    await this.#settings.settled?.(() => true);
    // The objects must be up to date until work in flight has ended.
    stop.abort();
    await watching;
  }

  /** Keys of the objects that wait for a reconcile. */
  protected get queue(): WorkQueue {
    return this.#queue;
  }

  /** Returns an object by its key, from the cache. */
  protected find(key: string): Owner | undefined {
    return this.#cache.objects.get(key);
  }

  #onGone(object: Owner): void {
    const { onGone, disconnect, shards, log, resource } = this.#settings;
    onGone?.(object);
    const { uid } = object.metadata;
    if (disconnect === undefined || (shards && !(uid !== undefined && shards.accepts(uid)))) return;
    disconnect(object).catch((error: unknown) => {
      log.warn("an object that is gone could not be disconnected", { controller: resource.kind, key: objectKey(object.metadata), error });
    });
  }
}

/** Whether a change requires a reconcile. Changes of the status, which the controller makes itself, do not. */
function isRelevant(
  { metadata: before }: ManagedResource,
  { metadata: after }: ManagedResource,
  watchedMetadata: ObjectControllerSettings<ManagedResource>["watchedMetadata"],
): boolean {
  return (
    before.uid !== after.uid ||
    before.generation !== after.generation ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    watchedMetadata.some((part) => !isDeepStrictEqual(before[part], after[part]))
  );
}
