// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, testConformance, type Value } from "@tenon/cty";
import { ProviderError, type Deferred } from "@tenon/schema";
import type { ServedProvider } from "../definition/provider.ts";
import type { Log, Logger } from "../logger.ts";
import { PrivateStateVault } from "../private-state/private-state-vault.ts";
import type { CompiledAction } from "../schema/action.ts";
import { userAgentOf } from "../observability/user-agent.ts";
import type { CompiledDataSource } from "../schema/data-source.ts";
import type { CompiledEphemeralResource } from "../schema/ephemeral-resource.ts";
import type { CompiledFunction } from "../schema/function.ts";
import type { CompiledListResource } from "../schema/list-resource.ts";
import type { CompiledProvider } from "../schema/provider.ts";
import type { CompiledResource } from "../schema/resource.ts";
import type { ObjectShape } from "../schema/shape.ts";
import type { CompiledStateStore } from "../schema/state-store.ts";
import { loadRegistry, type Registry } from "./registry.ts";
import { Secrets } from "./secrets.ts";

/** How far the provider is configured. */
export type Configuration =
  | { readonly kind: "none" }
  | { readonly kind: "configured"; readonly client: unknown }
  /** Nothing was asked of `configure` yet; `unknown` names the attributes that are not known. */
  | { readonly kind: "waiting"; readonly unknown: readonly string[] }
  /** `configure` put everything off. */
  | { readonly kind: "deferred"; readonly deferred: Deferred }
  | { readonly kind: "failed" };

/** A state store that is configured. */
export interface OpenStateStore {
  readonly store: unknown;
  /** Bytes in a chunk, but for the last one. */
  readonly chunkSize: number;
}

/** One running instance of a provider: what is loaded, how it is configured, what it is doing. */
export class ServedInstance {
  readonly provider: CompiledProvider;
  readonly logger: Logger;
  /** Of the provider's own configuration, which every call can meet. */
  readonly secrets: Secrets = new Secrets();
  /** What private data is encrypted with. */
  readonly vault: PrivateStateVault;
  configuration: Configuration = { kind: "none" };
  /** Of the core that configured it. */
  terraformVersion: string | undefined;
  /** Open state stores, by type. */
  readonly stateStores: Map<string, OpenStateStore> = new Map();
  readonly #served: ServedProvider;
  #stopping = new AbortController();
  #loading: Promise<Registry> | undefined;
  #registry: Registry | undefined;

  constructor(served: ServedProvider, logger: Logger) {
    this.provider = served["~provider"];
    this.logger = logger;
    this.vault = new PrivateStateVault(this.provider.name, this.provider.privateState);
    this.#served = served;
  }

  /** What handlers tell remote systems of who asks. */
  get userAgent(): string {
    return userAgentOf(this.provider.name, this.provider.version, this.terraformVersion);
  }

  /** Aborts when the instance is asked to stop. */
  get stopSignal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborts what runs; what is asked later runs again. */
  stop(): void {
    this.#stopping.abort(new Error("the run was interrupted"));
    this.#stopping = new AbortController();
  }

  /** Runs `setup` and loads every component; once. @throws what `setup` threw, and SdkError. */
  load(log: Log): Promise<Registry> {
    this.#loading ??= this.#load(log);
    return this.#loading;
  }

  async #load(log: Log): Promise<Registry> {
    await this.provider.setup?.({ signal: this.stopSignal, log });
    this.#registry = await loadRegistry(this.#served);
    return this.#registry;
  }

  /** What {@link load} loaded, which every call waits for before it is handled. */
  get registry(): Registry {
    if (this.#registry === undefined) throw new TypeError("a call is handled after the provider is loaded");
    return this.#registry;
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  resource(typeName: string): CompiledResource {
    const { resource } = this.registry;
    return resource.get(typeName) ?? this.#unknownType("resource", typeName, resource);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  dataSource(typeName: string): CompiledDataSource {
    const { dataSource } = this.registry;
    return dataSource.get(typeName) ?? this.#unknownType("data source", typeName, dataSource);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  ephemeralResource(typeName: string): CompiledEphemeralResource {
    const { ephemeralResource } = this.registry;
    return ephemeralResource.get(typeName) ?? this.#unknownType("ephemeral resource", typeName, ephemeralResource);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  listResource(typeName: string): CompiledListResource {
    const { listResource } = this.registry;
    return listResource.get(typeName) ?? this.#unknownType("list resource", typeName, listResource);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  action(typeName: string): CompiledAction {
    const { action } = this.registry;
    return action.get(typeName) ?? this.#unknownType("action", typeName, action);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  stateStore(typeName: string): CompiledStateStore {
    const { stateStore } = this.registry;
    return stateStore.get(typeName) ?? this.#unknownType("state store", typeName, stateStore);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  function(name: string): CompiledFunction {
    const functions = this.registry.function;
    return functions.get(name) ?? this.#unknownType("function", name, functions);
  }

  #unknownType(word: string, name: string, known: ReadonlyMap<string, unknown>): never {
    const names = known.size === 0 ? "it has none" : `it has ${[...known.keys()].toSorted().join(", ")}`;
    throw new ProviderError("INVALID_REQUEST", `provider ${this.provider.name} has no ${word} ${JSON.stringify(name)}: ${names}`);
  }
}

/** Refuses a value of another type than the schema's. @throws ProviderError `INVALID_REQUEST`. */
export function requireConforming(shape: ObjectShape, value: Value, what: string): void {
  if (value.type === shape.type) return;
  if (hasDynamic(shape.type) && testConformance(value.type, shape.type).length === 0) return;
  if (value.payload === null && value.type.kind === "dynamic") return;
  throw new ProviderError("INVALID_REQUEST", `${what} is of another type than the schema's`);
}
