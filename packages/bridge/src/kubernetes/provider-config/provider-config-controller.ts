// SPDX-License-Identifier: Apache-2.0
import { isNotFound } from "../machinery/client/api-error.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { Controller, type ControllerMetrics, type ReconcileContext, type ReconcileResult } from "../machinery/controller/controller.ts";
import type { EventRecorder } from "../machinery/event/event-recorder.ts";
import type { ShardLeases } from "../machinery/lease/shard-leases.ts";
import { shardOf } from "../machinery/lease/shard.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import { WorkQueue, type WorkQueueSettings } from "../machinery/queue/work-queue.ts";
import type { ConditionUpdate } from "../reconcile/conditions.ts";
import { statusPatch } from "../reconcile/status-patch.ts";
import { configFinalizer, configKey, type ConfigReference, type ProviderConfig, type ProviderConfigStatus } from "./provider-config.ts";
import { RefusedConfiguration } from "./configure-provider.ts";
import type { ConfigChange, ProviderConfigs } from "./provider-configs.ts";
import { configOf, type ProviderConfigUsage } from "./usage-tracker.ts";

/** Options of a {@link ProviderConfigController}. */
export interface ProviderConfigControllerSettings {
  readonly configs: ProviderConfigs;
  /**
   * The kinds whose objects use the configurations, in the versions that are served. Default: each object is looked up in the version that its usage
   * names.
   */
  readonly users?: readonly ApiResource[];
  readonly events: EventRecorder;
  readonly log: StructuredLog;
  readonly metrics?: ControllerMetrics;
  /** Shards of the configurations. Default: this replica reports about all configurations. */
  readonly shards?: ShardLeases;
  /** Number of configurations that are checked concurrently. Default: 2. */
  readonly workers?: number;
  /** Rates of repeated checks. */
  readonly queue?: WorkQueueSettings;
}

/** Interval of the check whether the users of a configuration that is being deleted still exist, in milliseconds. */
const usersMs = 15_000;
/** Time during which changes of the number of users are collected before they are written, in milliseconds. */
const countMs = 500;
/** Maximum number of usages whose objects are looked up in one check. */
const usersInCheck = 50;

/**
 * Reports for each configuration whether the provider accepts it, and how many objects use it. Delays the deletion of a configuration in use.
 *
 * @see crossplane-runtime pkg/reconciler/providerconfig
 */
export class ProviderConfigController {
  readonly #settings: ProviderConfigControllerSettings;
  readonly #queue: WorkQueue;
  readonly #controller: Controller;
  readonly #references = new Map<string, ConfigReference>();
  /** Key of the instance that was reported as ready, by configuration. */
  readonly #reported = new Map<string, string>();
  /** Configurations that are being checked. */
  readonly #active = new Set<string>();

  constructor(settings: ProviderConfigControllerSettings) {
    const { configs, shards, workers = 2 } = settings;
    this.#settings = settings;
    this.#queue = new WorkQueue(settings.queue);
    const leaseFor = (key: string): AbortSignal | undefined => {
      const uid = this.#find(key)?.metadata.uid;
      return uid !== undefined && shards?.accepts(uid) ? shards.signalFor(uid) : undefined;
    };
    this.#controller = new Controller({
      ...settings,
      workers,
      name: "ProviderConfig",
      queue: this.#queue,
      reconcile: (key, context) => this.#reconcile(key, context),
      ...(shards ? { leaseFor } : {}),
    });
    configs.onChange((change) => this.#onChange(change));
    configs.usages.cache.objects.onChange(({ before, after }) => {
      for (const usage of [before, after]) if (usage) this.#addUser(usage);
    });
  }

  /** Resolves when all configurations and usages are known. */
  get synced(): Promise<void> {
    return this.#settings.configs.synced.then(() => undefined);
  }

  /** The reasons why the controller is not ready; empty if it is. */
  get unready(): readonly string[] {
    return this.#settings.configs.unready;
  }

  /** Checks all configurations now. */
  reconcileAll(): void {
    for (const reference of this.#settings.configs.references()) this.#add(reference);
  }

  /** Checks the configurations of a shard now. */
  reconcileShard(shard: number, shards: number): void {
    for (const reference of this.#settings.configs.references()) {
      const uid = this.#settings.configs.find(reference)?.metadata.uid;
      if (uid !== undefined && shardOf(uid, shards) === shard) this.#add(reference);
    }
  }

  /** Resolves when no configuration of a shard is being checked. */
  async drained(shard: number, shards: number): Promise<void> {
    await this.#queue.settled((key) => {
      const uid = this.#find(key)?.metadata.uid;
      return uid === undefined || shardOf(uid, shards) === shard;
    });
  }

  /** Works until `draining` is aborted, and returns when all work has ended. `ending` aborts work in flight. */
  async run(draining: AbortSignal, ending: AbortSignal): Promise<void> {
    await this.#controller.run(draining, ending);
  }

  #onChange({ reference, kind }: ConfigChange): void {
    const key = configKey(reference);
    if (kind === "instance failed") {
      // The check in progress reports the failure itself.
      if (this.#active.has(key)) return;
      this.#reported.delete(key);
    }
    this.#add(reference);
  }

  #add(reference: ConfigReference): void {
    const key = configKey(reference);
    this.#references.set(key, reference);
    this.#queue.add(key);
  }

  #addUser(usage: ProviderConfigUsage): void {
    const key = configOf(usage);
    // Many objects may start to use it at the same time.
    if (this.#references.has(key)) this.#queue.addAfter(key, countMs);
  }

  #find(key: string): ProviderConfig | undefined {
    const reference = this.#references.get(key);
    return reference && this.#settings.configs.find(reference);
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult> {
    const reference = this.#references.get(key);
    const object = this.#find(key);
    if (reference === undefined || object === undefined) {
      this.#references.delete(key);
      this.#reported.delete(key);
      return {};
    }
    this.#active.add(key);
    try {
      return object.metadata.deletionTimestamp === undefined
        ? await this.#check(reference, object, context)
        : await this.#delete(reference, object, context);
    } catch (error) {
      if (isNotFound(error)) return {};
      throw error;
    } finally {
      this.#active.delete(key);
    }
  }

  /** Removes the finalizer of a configuration that no object uses; reports the users otherwise. */
  async #delete(reference: ConfigReference, object: ProviderConfig, { signal }: ReconcileContext): Promise<ReconcileResult> {
    const { configs, events } = this.#settings;
    await this.#removeStale(configs.usages.usagesOf(reference), signal);
    const users = configs.usages.usagesOf(reference).length;
    const { finalizers = [] } = object.metadata;
    if (users > 0) {
      const note =
        users === 1
          ? "1 object uses the configuration, which is deleted after that object"
          : `${users} objects use the configuration, which is deleted after them`;
      events.record(object, { type: "Warning", reason: "InUse", note });
      await this.#setStatus(reference, object, { users }, [{ type: "Terminating", status: "False", reason: "InUse", message: note }]);
      return { requeueAfterMs: usersMs };
    }
    if (finalizers.includes(configFinalizer)) {
      await this.#patch(reference, object, { metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== configFinalizer) } });
    }
    return {};
  }

  /** Removes usages whose objects no longer exist. In a cluster with a garbage collector, that collector removes them, too. */
  async #removeStale(usages: readonly ProviderConfigUsage[], signal: AbortSignal): Promise<void> {
    const { configs, users = [] } = this.#settings;
    for (const usage of usages.slice(0, usersInCheck)) {
      const { apiVersion, kind, name, uid } = usage.resourceRef;
      const [group, version] = apiVersion.split("/") as [string, string];
      const { namespaced } = configs.resources.usages;
      const known = users.find((resource) => resource.group === group && resource.kind === kind);
      const resource: ApiResource = known ?? { group, version, kind, plural: kind.toLowerCase(), namespaced };
      const owner = await configs.settings.client.find(resource, { name, namespace: usage.metadata.namespace }, { signal });
      if (owner?.metadata.uid !== uid) await configs.usages.remove(usage);
    }
  }

  async #check(reference: ConfigReference, object: ProviderConfig, { signal }: ReconcileContext): Promise<ReconcileResult> {
    const { configs } = this.#settings;
    const { finalizers = [] } = object.metadata;
    let current = object;
    if (!finalizers.includes(configFinalizer)) {
      current = await this.#patch(reference, current, { metadata: { finalizers: [...finalizers, configFinalizer] } });
    }
    const users = configs.usages.usagesOf(reference).length;
    if (await this.#isReported(reference, current, users)) {
      await this.#setStatus(reference, current, { users }, []);
      return {};
    }
    let failure: unknown;
    let condition: ConditionUpdate;
    try {
      await configs.open(reference, signal);
      const warnings = (await configs.warnings(reference)).map(({ summary, detail }) =>
        detail === "" ? summary : `${summary}: ${detail}`,
      );
      const message = warnings.length === 0 ? {} : { message: warnings.join("; ") };
      condition = { type: "Ready", status: "True", reason: "Configured", ...message };
      this.#reported.set(configKey(reference), await configs.instanceKey(reference));
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
      condition = { type: "Ready", status: "False", reason: reasonOf(error), message: (error as Error).message };
      this.#settings.events.record(current, { type: "Warning", reason: condition.reason, note: (error as Error).message });
      this.#reported.delete(configKey(reference));
    }
    const { address, version } = configs.settings.supply;
    await this.#setStatus(reference, current, { users, provider: { address, ...(version === undefined ? {} : { version }) } }, [condition]);
    if (failure !== undefined) throw failure;
    return {};
  }

  /**
   * Whether the status is up to date, except for the number of users. A configuration without users is not tried again after another replica has
   * acquired its shard, so that its provider is not launched unnecessarily.
   */
  async #isReported(reference: ConfigReference, { metadata, status }: ProviderConfig, users: number): Promise<boolean> {
    const { configs } = this.#settings;
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    if (ready?.status !== "True" || ready.observedGeneration !== metadata.generation) return false;
    const before = this.#reported.get(configKey(reference));
    try {
      const now = await configs.instanceKey(reference);
      if (before !== undefined) return before === now;
      if (users === 0) this.#reported.set(configKey(reference), now);
      return users === 0;
    } catch {
      return false;
    }
  }

  async #setStatus(
    reference: ConfigReference,
    object: ProviderConfig,
    values: Pick<ProviderConfigStatus, "users" | "provider">,
    updates: readonly ConditionUpdate[],
  ): Promise<void> {
    const status = statusPatch(object, { ...values, conditions: updates });
    if (status) await this.#patch(reference, object, { status }, "status");
  }

  async #patch(reference: ConfigReference, object: ProviderConfig, patch: object, subresource?: string): Promise<ProviderConfig> {
    const { client } = this.#settings.configs.settings;
    const resource = this.#settings.configs.resources.configs.find(({ kind }) => kind === reference.kind)!;
    const { namespace, name, resourceVersion } = object.metadata;
    const given = patch as { readonly metadata?: object };
    const body = { ...given, metadata: { ...given.metadata, resourceVersion } };
    return await client.mergePatch<ProviderConfig>(resource, { namespace, name }, body, subresource === undefined ? {} : { subresource });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedConfiguration) return "ConfigurationRefused";
  const { code } = error as { readonly code?: unknown };
  return code === "INVALID_OBJECT" || code === "API_REFUSED" ? "InvalidConfiguration" : "ProviderFailed";
}
