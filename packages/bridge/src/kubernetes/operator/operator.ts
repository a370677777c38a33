// SPDX-License-Identifier: Apache-2.0
import type { ResourceType } from "@tenon/schema/lifecycle";
import { ObjectCache } from "../machinery/cache/object-cache.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import { controllerMetrics } from "../machinery/controller/controller.ts";
import { EventRecorder } from "../machinery/event/event-recorder.ts";
import type { LeaseTimes } from "../machinery/lease/lease-record.ts";
import { ShardLeases } from "../machinery/lease/shard-leases.ts";
import { Metrics } from "../machinery/process/metrics.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { apiResourceOf, KindController, type KindControllerSettings } from "../reconcile/kind-controller.ts";
import type { ManagedResource, ProviderConfigReference } from "../reconcile/managed-resource.ts";
import type { RelatedKind } from "../reconcile/references.ts";
import { ownerLabel, type Secret } from "../state/state-secret.ts";
import { StateStore } from "../state/state-store.ts";
import type { OperatorPart } from "./operator-part.ts";

/** Returns the resource type of a configured provider for an object. */
export type ConnectProvider = (
  kind: KindMapping,
  reference: ProviderConfigReference,
  owner: ManagedResource,
  signal: AbortSignal,
) => Promise<ResourceType>;

/** Options of an {@link Operator}. */
export interface OperatorSettings extends Pick<
  KindControllerSettings,
  "pollMs" | "pollJitter" | "changeTimeoutMs" | "workers" | "queue" | "timeoutMs"
> {
  readonly client: ApiClient;
  /** Name of the operator. The names of its Leases begin with it, and its events contain it. */
  readonly name: string;
  /** Name of this replica, unique among the replicas. */
  readonly member: string;
  /** Namespace of the operator, with its Leases and the states of cluster-scoped resources. */
  readonly namespace: string;
  /** Namespace whose custom resources are managed. Default: all. */
  readonly watchNamespace?: string | undefined;
  readonly kinds: readonly KindMapping[];
  /** Version of the kinds' API. Default: `v1alpha1`. */
  readonly version?: string | undefined;
  readonly connect: ConnectProvider;
  /** Number of shards, equal for all replicas, and at least as many as there are replicas. Default: 16. */
  readonly shards?: number | undefined;
  readonly leaseTimes?: LeaseTimes | undefined;
  readonly log: StructuredLog;
  /** The metrics to add to. Default: metrics of its own. */
  readonly metrics?: Metrics | undefined;
}

/** One replica of an operator: a controller for each kind, and the states, shards and events that they share. */
export class Operator {
  readonly #settings: OperatorSettings;
  readonly #states: ObjectCache<Secret>;
  readonly #events: EventRecorder;
  readonly #leases: ShardLeases;
  readonly #parts: readonly OperatorPart[];

  constructor(settings: OperatorSettings) {
    const { client, name, member, namespace, watchNamespace, kinds, log, shards = 16, leaseTimes, metrics = new Metrics() } = settings;
    this.#settings = settings;
    const onError = (what: string) => (error: unknown) => log.warn(what, { error });
    this.#states = new ObjectCache<Secret>(client, secrets, {
      namespace: watchNamespace,
      labelSelector: ownerLabel,
      onStep: (step) => {
        if (step.kind === "failed") log.warn("the stored states cannot be watched", { error: step.error });
      },
    });
    this.#events = new EventRecorder(client, {
      controller: `tenon.dev/${name}`,
      instance: member,
      onError: onError("an event could not be written"),
    });
    this.#leases = new ShardLeases({
      client,
      namespace,
      group: name,
      member,
      shards,
      ...(leaseTimes ? { times: leaseTimes } : {}),
      onAcquired: (shard) => {
        log.debug("acquired a shard", { shard });
        for (const part of this.#parts) part.reconcileShard(shard, shards);
      },
      onReleased: (shard) => log.debug("lost or returned a shard", { shard }),
      drain: async (shard) => void (await Promise.all(this.#parts.map((part) => part.drained(shard, shards)))),
      onError: onError("a lease could not be renewed or acquired"),
    });
    const states = new StateStore({ client, clusterNamespace: namespace, cache: this.#states.objects });
    const measured = controllerMetrics(metrics);
    this.#parts = kinds.map((kind) => this.#controllerOf(kind, states, measured));
    metrics.gauge("tenon_shards_held", "Number of shards that this replica holds.", () => this.#leases.held.length);
    metrics.gauge("tenon_events_dropped", "Number of events that were dropped.", () => this.#events.dropped);
  }

  /** The shards that this replica holds. */
  get heldShards(): readonly number[] {
    return this.#leases.held;
  }

  /** The reasons why the operator is not ready; empty if it is. */
  get unready(): readonly string[] {
    const states = this.#states.isSynced ? [] : ["the stored states are not listed yet"];
    return [...states, ...this.#parts.flatMap(({ unready }) => unready)];
  }

  /** Resolves when the operator knows all its objects. */
  get synced(): Promise<void> {
    return Promise.all([this.#states.synced, ...this.#parts.map(({ synced }) => synced)]).then(() => undefined);
  }

  /**
   * Works until `draining` is aborted. Then it waits for work in flight, which `ending` aborts, and releases its shards, so that other replicas can
   * continue immediately.
   */
  async run(draining: AbortSignal, ending: AbortSignal): Promise<void> {
    const [leaving, stopStates] = [new AbortController(), new AbortController()];
    const watching = this.#states.run(stopStates.signal);
    const holding = this.#holdShards(draining, leaving.signal);
    await Promise.all(this.#parts.map((part) => part.run(draining, ending)));
    leaving.abort();
    await holding;
    stopStates.abort();
    await watching;
    await this.#events.close();
  }

  /** Holds shards after all objects are known. Before that, the replica could not work on them, and would only block other replicas. */
  async #holdShards(draining: AbortSignal, leaving: AbortSignal): Promise<void> {
    const isDraining = new Promise<void>((resolve) => {
      if (draining.aborted) resolve();
      else draining.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([this.synced, isDraining]);
    if (!draining.aborted) await this.#leases.run(leaving);
  }

  #controllerOf(kind: KindMapping, states: StateStore, metrics: ReturnType<typeof controllerMetrics>): KindController {
    const { client, connect, kinds, log, watchNamespace, version = "v1alpha1" } = this.#settings;
    const { pollMs, pollJitter, changeTimeoutMs, workers, queue, timeoutMs } = this.#settings;
    const relatedKind = (typeName: string): RelatedKind | undefined => {
      const related = kinds.find((each) => each.typeName === typeName);
      return related && { kind: related, resource: apiResourceOf(related, version) };
    };
    return new KindController({
      client,
      kind,
      version,
      states,
      events: this.#events,
      connect: (reference, owner, signal) => connect(kind, reference, owner, signal),
      relatedKind,
      log,
      metrics,
      shards: this.#leases,
      ...(watchNamespace === undefined ? {} : { namespace: watchNamespace }),
      ...definedOf({ pollMs, pollJitter, changeTimeoutMs, workers, queue, timeoutMs }),
    });
  }
}

/** Returns an object without its undefined members. */
function definedOf<Members extends object>(members: Members): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}
