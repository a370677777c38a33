// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import { ObjectCache } from "../machinery/cache/object-cache.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../machinery/client/api-error.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import { Controller, type ReconcileContext, type ReconcileResult } from "../machinery/controller/controller.ts";
import { shardOf } from "../machinery/lease/shard.ts";
import { WorkQueue } from "../machinery/queue/work-queue.ts";
import { reconcileError, reconcilePaused } from "../reconcile/conditions.ts";
import { apiResourceOf } from "../reconcile/kind-controller.ts";
import { annotationOf, type ManagedResource } from "../reconcile/managed-resource.ts";
import { StepFailure } from "../reconcile/step-failure.ts";
import type { ComponentObject } from "./component-object.ts";
import type { ComponentControllerSettings } from "./component-settings.ts";
import { ComponentWriter } from "./component-writer.ts";
import { EphemeralStep } from "./ephemeral-step.ts";
import { ReadStep } from "./read-step.ts";

/** Reads the objects of one kind that stand for a data source, function, list or ephemeral resource. */
export class ComponentController {
  readonly #settings: ComponentControllerSettings;
  readonly #cache: ObjectCache<ComponentObject>;
  readonly #queue: WorkQueue;
  readonly #controller: Controller;
  readonly #step: ReadStep | EphemeralStep;

  constructor(settings: ComponentControllerSettings) {
    const { client, kind, version, namespace, shards, workers = 4 } = settings;
    this.#settings = settings;
    this.#cache = new ObjectCache<ComponentObject>(client, apiResourceOf(kind, version), {
      namespace,
      onStep: (step) => {
        if (step.kind === "failed") settings.log.warn("the objects cannot be watched", { kind: kind.names.kind, error: step.error });
      },
    });
    this.#queue = new WorkQueue(settings.queue);
    this.#step = kind.component === "ephemeral" ? new EphemeralStep(settings) : new ReadStep(settings);
    const leaseFor = (key: string): AbortSignal | undefined => {
      const uid = this.#cache.objects.get(key)?.metadata.uid;
      return uid !== undefined && shards?.accepts(uid) ? shards.signalFor(uid) : undefined;
    };
    this.#controller = new Controller({
      ...settings,
      workers,
      name: kind.names.kind,
      queue: this.#queue,
      reconcile: (key, context) => this.#reconcile(key, context),
      ...(shards ? { leaseFor } : {}),
    });
    this.#cache.objects.onChange(({ key, before, after }) => {
      if (before && before.metadata.uid !== after?.metadata.uid) this.#release(before);
      if (after === undefined) this.#queue.remove(key);
      else if (before === undefined || isRelevant(before, after)) this.#queue.add(key);
    });
  }

  /** Settled when all objects are known. */
  get synced(): Promise<void> {
    return this.#cache.synced;
  }

  /** Reasons for which the controller is not ready; empty when it is. */
  get unready(): readonly string[] {
    return this.#cache.isSynced ? [] : [`the objects of kind ${this.#settings.kind.names.kind} are not listed yet`];
  }

  /** Reads objects now. @param isConcerned - Default: all objects. */
  reconcileAll(isConcerned: (object: ManagedResource) => boolean = () => true): void {
    for (const object of this.#cache.objects.values()) if (isConcerned(object)) this.#queue.add(objectKey(object.metadata));
  }

  /** Reads the objects of a shard now. */
  reconcileShard(shard: number, shards: number): void {
    this.reconcileAll(({ metadata }) => shardOf(metadata.uid!, shards) === shard);
  }

  /** Settles when no object of a shard is being read. */
  async drained(shard: number, shards: number): Promise<void> {
    await this.#queue.settled((key) => {
      const uid = this.#cache.objects.get(key)?.metadata.uid;
      return uid === undefined || shardOf(uid, shards) === shard;
    });
  }

  /** Works until `draining` aborts, and returns when all work has ended. `ending` aborts work in flight. */
  async run(draining: AbortSignal, ending: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const watching = this.#cache.run(stop.signal);
    await this.#controller.run(draining, ending);
    stop.abort();
    await watching;
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult> {
    const object = this.#cache.objects.get(key);
    if (object === undefined) return {};
    const { client, kind, version } = this.#settings;
    const writer = new ComponentWriter(client, apiResourceOf(kind, version), object);
    try {
      if (annotationOf(object, "paused") === "true") {
        await writer.setStatus([reconcilePaused]);
        return {};
      }
      return await this.#step.reconcile(writer, context);
    } catch (error) {
      try {
        return await this.#report(writer, error, context);
      } catch (reported) {
        if (isNotFound(reported)) return {};
        throw reported;
      }
    }
  }

  /** Turns a failure into a condition and an event. */
  async #report(writer: ComponentWriter, error: unknown, { signal, ending }: ReconcileContext): Promise<ReconcileResult> {
    // The object has changed, or the work is being ended: neither is a failure of the read.
    if (isConflict(error) || isAlreadyExists(error) || isNotFound(error) || ending.aborted) throw error;
    const note = signal.aborted ? "the read took too long" : (error as Error).message;
    const reason = error instanceof StepFailure ? error.reason : "ReconcileError";
    this.#settings.events.record(writer.object, { type: "Warning", reason, note });
    await writer.setStatus([reconcileError(note)]);
    if (error instanceof StepFailure && !error.repeats) return {};
    throw error;
  }

  #release(object: ComponentObject): void {
    const { configs, shards, log, kind } = this.#settings;
    const { uid } = object.metadata;
    if (shards && !(uid !== undefined && shards.accepts(uid))) return;
    configs.usages.release(object).catch((error: unknown) => {
      log.warn("an object that is gone could not be disconnected", { controller: kind.names.kind, key: objectKey(object.metadata), error });
    });
  }
}

/** Whether a change matters for a read. The controller's own changes of the status do not. */
function isRelevant({ metadata: before }: ComponentObject, { metadata: after }: ComponentObject): boolean {
  return (
    before.uid !== after.uid ||
    before.generation !== after.generation ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    !isDeepStrictEqual(before.annotations, after.annotations)
  );
}
