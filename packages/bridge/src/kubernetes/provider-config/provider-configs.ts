// SPDX-License-Identifier: Apache-2.0
import { createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/json";
import { impliedType, type Diagnostic, type Provider } from "@tenon/schema";
import { resourceType, type ResourceType } from "@tenon/schema/lifecycle";
import { ProviderPool, type PoolEvent, type ProviderPoolSettings } from "../../provider/provider-pool.ts";
import type { ProviderSupply } from "../../provider/provider-supply.ts";
import { ObjectCache } from "../machinery/cache/object-cache.ts";
import type { ReflectorStep } from "../machinery/cache/reflector.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import type { ManagedResource, ProviderConfigReference } from "../reconcile/managed-resource.ts";
import { StepFailure } from "../reconcile/step-failure.ts";
import type { StateOwner } from "../state/state-secret.ts";
import { configureProvider } from "./configure-provider.ts";
import {
  configKey,
  configName,
  configResources,
  type ConfigReference,
  type ConfigResources,
  type ProviderConfig,
} from "./provider-config.ts";
import { resolveConfiguration, secretsOf, type ResolvedConfiguration } from "./resolve-configuration.ts";
import { UsageTracker } from "./usage-tracker.ts";
import { WatchedSecrets } from "./watched-secrets.ts";

/** Options of {@link ProviderConfigs}. */
export interface ProviderConfigsSettings {
  readonly client: ApiClient;
  readonly mapping: ProviderConfigMapping;
  /** API version of the kinds of configurations, unless their rules have one. Default: `v1alpha1`. */
  readonly version?: string;
  readonly supply: ProviderSupply;
  /**
   * Namespace whose configurations are used. There are no cluster-scoped ones then, because they may name Secrets of other namespaces. Default: all
   * namespaces. Not for cluster-scoped kinds.
   */
  readonly namespace?: string | undefined;
  /** Called if configurations or usages cannot be listed or watched. The watch is tried again. */
  readonly onWatchError?: (kind: string, error: unknown) => void;
  /** Limits of the instances. Each configuration has one instance. */
  readonly pool?: Omit<ProviderPoolSettings, "onEvent">;
  /** Environment variables that cluster-scoped configurations may use. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Version of OpenTofu that is sent to the provider. Default: `1.12.6`. */
  readonly terraformVersion?: string;
}

/** Connects the objects of a kind to their providers. Part of the options of the kind's controller. */
export interface KindConnections {
  readonly connect: (reference: ProviderConfigReference, owner: ManagedResource, signal: AbortSignal) => Promise<ResourceType>;
  readonly disconnect: (owner: ManagedResource) => Promise<void>;
}

/** A change of a configuration. */
export interface ConfigChange {
  readonly reference: ConfigReference;
  /**
   * - `configuration`: the object or a Secret was changed, or the object was deleted. The users of the configuration should be reconciled now.
   * - `deletion`: the object is being deleted.
   * - `instance opened`, `instance failed`: the provider was configured, could not be configured, or has ended.
   */
  readonly kind: "configuration" | "deletion" | "instance opened" | "instance failed";
}

/** A configuration with its secrets, and the key of its instance. */
interface Resolution {
  readonly resolved: ResolvedConfiguration;
  readonly instanceKey: string;
}

/** Interval at which files with credentials are read again, in milliseconds. */
const fileMs = 60_000;

/**
 * The configurations of a provider in the cluster, and the instances that are configured with them. Equal configurations share an instance. After a
 * change of a configuration or its Secrets, a new instance is opened; the old one is closed after its calls.
 */
export class ProviderConfigs {
  readonly settings: ProviderConfigsSettings;
  readonly resources: ConfigResources;
  readonly usages: UsageTracker;
  readonly pool: ProviderPool;
  readonly #caches: ReadonlyMap<string, ObjectCache<ProviderConfig>>;
  readonly #secrets: WatchedSecrets;
  /** The salt of the hashes in keys of instances, so that keys do not reveal configurations. */
  readonly #salt = randomBytes(32);
  readonly #resolutions = new Map<string, Promise<Resolution>>();
  /** The last resolution that was started, by configuration. */
  readonly #latest = new Map<string, symbol>();
  /** Keys of instances by configuration. */
  readonly #instanceKeys = new Map<string, string>();
  readonly #warnings = new Map<string, readonly Diagnostic[]>();
  readonly #listeners = new Set<(change: ConfigChange) => void>();
  readonly #references = new Map<string, ConfigReference>();

  constructor(settings: ProviderConfigsSettings) {
    const { client, mapping, version, pool, namespace, onWatchError } = settings;
    const watchOf = ({ kind }: ApiResource) => ({
      namespace,
      onStep: (step: ReflectorStep) => {
        if (step.kind === "failed") onWatchError?.(kind, step.error);
      },
    });
    this.settings = settings;
    this.resources = configResources(mapping, kindVersion(mapping, version));
    this.usages = new UsageTracker(client, this.resources.usages, watchOf(this.resources.usages));
    this.pool = new ProviderPool({ ...pool, onEvent: (event) => this.#onPoolEvent(event) });
    this.#secrets = new WatchedSecrets(client, (key) => this.#invalidate(key));
    const served = this.resources.configs.filter(({ namespaced }) => namespace === undefined || namespaced);
    this.#caches = new Map(served.map((resource) => [resource.kind, new ObjectCache<ProviderConfig>(client, resource, watchOf(resource))]));
    for (const [kind, { objects }] of this.#caches) {
      objects.onChange(({ before, after }) => this.#onObject(kind, before, after));
    }
  }

  /** Resolves when all configurations and usages are known. */
  get synced(): Promise<unknown> {
    return Promise.all([...this.#caches.values(), this.usages.cache].map(({ synced }) => synced));
  }

  /** The reasons why the configurations are not ready; empty if they are. */
  get unready(): readonly string[] {
    const isSynced = [...this.#caches.values(), this.usages.cache].every((cache) => cache.isSynced);
    return isSynced ? [] : [`the configurations of ${this.settings.supply.address} are not listed yet`];
  }

  /** Watches configurations, usages and Secrets until the signal is aborted. Then closes the instances, each after its calls. */
  async run(signal: AbortSignal): Promise<void> {
    const files = setInterval(() => this.#readFiles(), fileMs).unref();
    try {
      await Promise.all([...this.#caches.values(), this.usages.cache].map((cache) => cache.run(signal)));
    } finally {
      clearInterval(files);
      await Promise.all([this.#secrets.close(), this.pool.close()]);
    }
  }

  /** Calls a listener after each change. Returns a function that removes the listener. */
  onChange(listener: (change: ConfigChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** All configurations. */
  references(): Iterable<ConfigReference> {
    return this.#references.values();
  }

  /** A configuration, from the cache. */
  find({ kind, namespace, name }: ConfigReference): ProviderConfig | undefined {
    return this.#caches.get(kind)?.objects.get(objectKey({ namespace, name }));
  }

  /** The configuration that an object refers to. */
  referenceOf(owner: StateOwner, { kind, name }: ProviderConfigReference): ConfigReference {
    const resource = this.resources.configs.find((candidate) => candidate.kind === kind) ?? this.resources.configs[0]!;
    const { namespace } = owner.metadata;
    return { kind: resource.kind, name, ...(resource.namespaced && namespace !== undefined ? { namespace } : {}) };
  }

  /** Whether an object uses a configuration. */
  isUsedBy(reference: ConfigReference, owner: ManagedResource): boolean {
    return configKey(this.referenceOf(owner, owner.spec.providerConfigRef ?? { name: "default" })) === configKey(reference);
  }

  /** Connections of the objects of a kind. */
  connections({ typeName }: Pick<KindMapping, "typeName">): KindConnections {
    const { address } = this.settings.supply;
    return {
      connect: async (reference, owner, signal) => {
        return await resourceType(await this.connect(reference, owner, signal), typeName, { providerAddress: address, signal });
      },
      disconnect: async (owner) => await this.usages.release(owner),
    };
  }

  /**
   * Returns the provider with the configuration of an object, and records that the object uses the configuration.
   *
   * @throws StepFailure if the configuration does not exist, or no provider can be configured with it.
   */
  async connect(reference: ProviderConfigReference, owner: StateOwner, signal: AbortSignal): Promise<Provider> {
    await this.synced;
    const config = this.referenceOf(owner, reference);
    const { namespace } = this.settings;
    if (!this.#caches.has(config.kind)) {
      throw failure(
        `the ${configName(config)} cannot be used, because the operator has rights in the namespace ${namespace} only: refer to a ProviderConfig`,
      );
    }
    const object = this.find(config);
    if (object === undefined) throw failure(`the ${configName(config)} does not exist`);
    const isNew = !this.usages.usagesOf(config).some(({ metadata }) => metadata.name === owner.metadata.uid);
    if (object.metadata.deletionTimestamp !== undefined && owner.metadata.deletionTimestamp === undefined && isNew) {
      throw failure(`the ${configName(config)} is being deleted`);
    }
    await this.usages.track(config, owner, signal);
    try {
      return await this.open(config, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw failure(`the ${configName(config)} cannot be used: ${(error as Error).message}`, error);
    }
  }

  /** Returns the provider of a configuration. @throws The errors of its installation, launch and configuration; BridgeError `INVALID_OBJECT` */
  async open(reference: ConfigReference, signal?: AbortSignal): Promise<Provider> {
    const { instanceKey, resolved } = await this.#resolution(reference);
    const { supply, terraformVersion = "1.12.6" } = this.settings;
    return await this.pool.provider(
      instanceKey,
      async (limit) => {
        const provider = await supply.open({ signal: limit });
        try {
          this.#warnings.set(instanceKey, await configureProvider(provider, resolved, terraformVersion, { signal: limit }));
          return provider;
        } catch (error) {
          await provider.close();
          throw error;
        }
      },
      signal,
    );
  }

  /** The key of the instance of a configuration. It changes with the configuration and its Secrets. */
  async instanceKey(reference: ConfigReference): Promise<string> {
    return (await this.#resolution(reference)).instanceKey;
  }

  /** The warnings of the provider about an accepted configuration. */
  async warnings(reference: ConfigReference): Promise<readonly Diagnostic[]> {
    return this.#warnings.get(await this.instanceKey(reference)) ?? [];
  }

  #resolution(reference: ConfigReference): Promise<Resolution> {
    const key = configKey(reference);
    let resolution = this.#resolutions.get(key);
    if (resolution === undefined) {
      resolution = this.#resolve(reference, key);
      this.#resolutions.set(key, resolution);
      // A failure is not cached, because a variable or file may exist later.
      resolution.catch(() => this.#forget(key, resolution));
    }
    return resolution;
  }

  #forget(key: string, resolution: Promise<Resolution> | undefined): void {
    if (this.#resolutions.get(key) === resolution) this.#resolutions.delete(key);
  }

  async #resolve(reference: ConfigReference, key: string): Promise<Resolution> {
    const { mapping, supply } = this.settings;
    const object = this.find(reference);
    const own = Symbol(key);
    this.#latest.set(key, own);
    const use = (instanceKey: string | undefined): void => {
      if (this.#latest.get(key) === own) this.#useInstance(key, instanceKey);
    };
    try {
      if (object === undefined) throw failure(`the ${configName(reference)} does not exist`);
      const secret = await this.#secrets.use(key, secretsOf(mapping, object));
      const resolved = resolveConfiguration(mapping, object, { secret, text: await this.#textOf(object) });
      const hash = createHmac("sha256", this.#salt).update(supply.address).update("\0");
      const instanceKey = hash.update(encode(resolved.value, impliedType(mapping.schema.block), { convert })).digest("hex");
      use(instanceKey);
      return { resolved, instanceKey };
    } catch (error) {
      use(undefined);
      throw error;
    }
  }

  /** Text of the variable or file with the credentials. */
  async #textOf({ spec: { credentials } }: ProviderConfig): Promise<string | undefined> {
    const { environment = process.env } = this.settings;
    if (credentials?.source === "Environment") return environment[credentials.env?.name ?? ""];
    if (credentials?.source !== "Filesystem") return undefined;
    try {
      return await readFile(credentials.fs?.path ?? "", "utf8");
    } catch {
      return undefined;
    }
  }

  /** Assigns an instance to a configuration. The instance before ends after its calls, unless another configuration uses it. */
  #useInstance(key: string, instanceKey: string | undefined): void {
    const before = this.#instanceKeys.get(key);
    if (instanceKey === undefined) this.#instanceKeys.delete(key);
    else this.#instanceKeys.set(key, instanceKey);
    if (before === undefined || before === instanceKey) return;
    if (this.#instanceKeys.values().some((used) => used === before)) return;
    this.#warnings.delete(before);
    this.pool.retire(before);
  }

  #onObject(kind: string, before: ProviderConfig | undefined, after: ProviderConfig | undefined): void {
    const { namespace, name } = (after ?? before)!.metadata;
    const reference: ConfigReference = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    const key = configKey(reference);
    if (after === undefined) {
      this.#references.delete(key);
      this.#resolutions.delete(key);
      this.#secrets.forget(key);
      this.#latest.delete(key);
      this.#useInstance(key, undefined);
      this.#notify({ reference, kind: "configuration" });
      return;
    }
    this.#references.set(key, reference);
    const isSame = before?.metadata.uid === after.metadata.uid && before?.metadata.generation === after.metadata.generation;
    if (!isSame) this.#invalidate(key);
    else if (before?.metadata.deletionTimestamp !== after.metadata.deletionTimestamp) this.#notify({ reference, kind: "deletion" });
  }

  /** Resolves a configuration again, because its object or a Secret has changed. Then an instance that it no longer uses can end. */
  #invalidate(key: string): void {
    const reference = this.#references.get(key);
    if (reference === undefined) return;
    this.#resolutions.delete(key);
    const notify = (): void => this.#notify({ reference, kind: "configuration" });
    this.#resolution(reference).then(notify, notify);
  }

  /** Reads files with credentials again, because nothing reports their changes. */
  #readFiles(): void {
    for (const [key, reference] of this.#references) {
      if (this.find(reference)?.spec.credentials?.source !== "Filesystem") continue;
      const before = this.#instanceKeys.get(key);
      this.#resolutions.delete(key);
      const compare = (): void => {
        if (this.#instanceKeys.get(key) !== before) this.#notify({ reference, kind: "configuration" });
      };
      this.#resolution(reference).then(compare, compare);
    }
  }

  #onPoolEvent({ kind, key: instanceKey }: PoolEvent): void {
    if (kind === "closed") return;
    for (const [key, used] of this.#instanceKeys) {
      const reference = used === instanceKey ? this.#references.get(key) : undefined;
      if (reference) this.#notify({ reference, kind: kind === "opened" ? "instance opened" : "instance failed" });
    }
  }

  #notify(change: ConfigChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function failure(message: string, cause?: unknown): StepFailure {
  return new StepFailure("CannotConnectToProvider", message, cause === undefined ? {} : { cause });
}
