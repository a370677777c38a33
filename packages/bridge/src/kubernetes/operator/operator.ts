// SPDX-License-Identifier: Apache-2.0
import type { ResourceType } from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";
import { ObjectCache } from "../machinery/cache/object-cache.ts";
import type { ReflectorStep } from "../machinery/cache/reflector.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import { controllerMetrics, type ControllerMetrics } from "../machinery/controller/controller.ts";
import { EventRecorder } from "../machinery/event/event-recorder.ts";
import type { LeaseTimes } from "../machinery/lease/lease-record.ts";
import { ShardLeases } from "../machinery/lease/shard-leases.ts";
import { Metrics } from "../machinery/process/metrics.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import type { ComponentMapping } from "../mapping/map-components.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { ProviderConfigController } from "../provider-config/provider-config-controller.ts";
import type { KindConnections, ProviderConfigs } from "../provider-config/provider-configs.ts";
import { ComponentController } from "../read/component-controller.ts";
import { connectionCache, type ConnectionCache } from "../reconcile/connection-cache.ts";
import { apiResourceOf, KindController, type KindControllerSettings } from "../reconcile/kind-controller.ts";
import type { ManagedResource, ProviderConfigReference } from "../reconcile/managed-resource.ts";
import { relatedKinds } from "../reconcile/related-kinds.ts";
import type { ProviderLogLine } from "../reconcile/running-operations.ts";
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
  "pollMs" | "pollJitter" | "changeTimeoutMs" | "workers" | "queue" | "timeoutMs" | "progressMs" | "maxOperations"
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
  /** The kinds of resource types and, with `configs`, those that only read. */
  readonly kinds: readonly KindMapping[];
  /** Version of kinds whose rules have none. Default: `v1alpha1`. */
  readonly version?: string | undefined;
  /**
   * Configurations of the provider in the cluster. The operator watches them, reports about them, and closes their instances when it ends. For
   * `watchNamespace`, give them the same `namespace`.
   */
  readonly configs?: ProviderConfigs | undefined;
  /** Returns configured resource types instead of `configs`. */
  readonly connect?: ConnectProvider | undefined;
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
  readonly #connectionSecrets: ConnectionCache;
  readonly #events: EventRecorder;
  readonly #leases: ShardLeases;
  readonly #controllers: readonly (KindController | ComponentController)[];
  readonly #parts: readonly OperatorPart[];

  /** @throws BridgeError `INVALID_ARGUMENTS` unless there is either `configs` or `connect`, and `configs` for kinds that only read. */
  constructor(settings: OperatorSettings) {
    const { client, name, member, namespace, watchNamespace, kinds, log, metrics = new Metrics() } = settings;
    this.#settings = settings;
    const watch = (what: string) => ({ namespace: watchNamespace, onStep: warnOfFailures(log, what) });
    this.#states = new ObjectCache<Secret>(client, secrets, { ...watch("the stored states"), labelSelector: ownerLabel });
    this.#connectionSecrets = connectionCache(client, watch("the connection Secrets"));
    this.#events = new EventRecorder(client, {
      controller: `tenon.dev/${name}`,
      instance: member,
      onError: (error) => log.warn("an event could not be written", { error }),
    });
    this.#leases = this.#shardLeases();
    const states = new StateStore({ client, clusterNamespace: namespace, cache: this.#states.objects });
    const ofControllers = controllerMetrics(metrics);
    this.#controllers = kinds.map((kind) => this.#controllerOf(kind, states, ofControllers));
    this.#parts = [...this.#controllers, ...this.#configControllers(ofControllers)];
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
    const [leaving, stopWatching] = [new AbortController(), new AbortController()];
    const { configs } = this.#settings;
    const watches = Promise.all([
      this.#states.run(stopWatching.signal),
      this.#connectionSecrets.run(stopWatching.signal),
      configs?.run(stopWatching.signal),
    ]);
    const leases = this.#holdShards(draining, leaving.signal);
    await Promise.all(this.#parts.map((part) => part.run(draining, ending)));
    leaving.abort();
    await leases;
    stopWatching.abort();
    await watches;
    await this.#events.close();
  }

  /** Shows a log line of the provider as the progress of the operation that has written it. Give it the records of the provider's `onLog`. */
  addLogLine(line: ProviderLogLine): void {
    for (const controller of this.#controllers) if (controller instanceof KindController) controller.addLogLine(line);
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

  /** The Leases of the shards of all objects. */
  #shardLeases(): ShardLeases {
    const { client, name, member, namespace, log, shards = 16, leaseTimes } = this.#settings;
    return new ShardLeases({
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
      onError: (error) => log.warn("a lease could not be renewed or acquired", { error }),
    });
  }

  #controllerOf(kind: KindMapping, states: StateStore, metrics: ControllerMetrics): KindController | ComponentController {
    const { client, configs, kinds, log, watchNamespace, version } = this.#settings;
    const { pollMs, pollJitter, changeTimeoutMs, workers, queue, timeoutMs, progressMs, maxOperations } = this.#settings;
    const common = {
      client,
      version: kindVersion(kind, version),
      states,
      connections: this.#connectionSecrets.objects,
      events: this.#events,
      relatedKind: relatedKinds(kinds, version),
      log,
      metrics,
      shards: this.#leases,
      ...(watchNamespace === undefined ? {} : { namespace: watchNamespace }),
      ...definedOf({ pollMs, pollJitter, workers, queue }),
    };
    if (!isComponent(kind)) {
      const ofChanges = definedOf({ changeTimeoutMs, timeoutMs, progressMs, maxOperations });
      return new KindController({ ...common, kind, ...this.#connections(kind), ...ofChanges });
    }
    if (configs) return new ComponentController({ ...common, kind, configs });
    throw invalid(`the kind ${kind.names.kind} only reads: it needs the option configs`);
  }

  #connections(kind: KindMapping): Pick<KindConnections, "connect"> & Partial<KindConnections> {
    const { configs, connect } = this.#settings;
    if (configs && !connect) return configs.connections(kind);
    if (connect && !configs) return { connect: (reference, owner, signal) => connect(kind, reference, owner, signal) };
    throw invalid("an operator needs either the option configs or the option connect");
  }

  /** The controller of the configurations. After a change of a configuration, the objects that use it are reconciled. */
  #configControllers(metrics: ControllerMetrics): readonly ProviderConfigController[] {
    const { configs, kinds, version, log, queue } = this.#settings;
    if (configs === undefined) return [];
    configs.onChange(({ kind, reference }) => {
      if (kind !== "configuration") return;
      for (const controller of this.#controllers) controller.reconcileAll((object) => configs.isUsedBy(reference, object));
    });
    const users = kinds.map((kind) => apiResourceOf(kind, kindVersion(kind, version)));
    const common = { configs, users, events: this.#events, log, metrics, shards: this.#leases };
    return [new ProviderConfigController({ ...common, ...definedOf({ queue }) })];
  }
}

/** Returns an observer of a cache that logs why its objects cannot be watched. */
function warnOfFailures(log: StructuredLog, what: string): (step: ReflectorStep) => void {
  return (step) => {
    if (step.kind === "failed") log.warn(`${what} cannot be watched`, { error: step.error });
  };
}

function isComponent(kind: KindMapping): kind is ComponentMapping {
  return kind.component !== undefined;
}

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_ARGUMENTS", problem);
}

/** Returns an object without its undefined members. */
function definedOf<Members extends object>(members: Members): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}
