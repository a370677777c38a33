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
import type { CompiledComponent } from "../schema/component.ts";
import type { CompiledProvider } from "../schema/provider.ts";
import type { CompiledResource } from "../schema/resource.ts";
import type { ObjectShape } from "../schema/shape.ts";
import type { CompiledStateStore } from "../schema/state-store.ts";
import { isLoaded, loadPartly, type PartialRegistry } from "./registry.ts";
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
  /** Whether answers are held against the rules of the cores. */
  readonly checksAnswers: boolean;
  /** Of the provider's own configuration, which every call can meet. */
  readonly secrets: Secrets = new Secrets();
  /** What private data is encrypted with. */
  readonly vault: PrivateStateVault;
  /** What `configure` wants done at the end, in that order. */
  readonly cleanups: (() => void | Promise<void>)[] = [];
  configuration: Configuration = { kind: "none" };
  /** Of the core that configured it. */
  terraformVersion: string | undefined;
  /** Open state stores, by type. */
  readonly stateStores: Map<string, OpenStateStore> = new Map();
  readonly #served: ServedProvider;
  #stopping = new AbortController();
  #loading: Promise<PartialRegistry> | undefined;
  #registry: PartialRegistry | undefined;

  constructor(served: ServedProvider, logger: Logger, checksAnswers = false) {
    this.checksAnswers = checksAnswers;
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
  load(log: Log): Promise<PartialRegistry> {
    this.#loading ??= this.#load(log);
    return this.#loading;
  }

  async #load(log: Log): Promise<PartialRegistry> {
    await this.provider.setup?.({ signal: this.stopSignal, log });
    this.#registry = await loadPartly(this.#served);
    return this.#registry;
  }

  /** What {@link load} loaded, which every call waits for before it is handled. */
  get registry(): PartialRegistry {
    if (this.#registry === undefined) throw new TypeError("a call is handled after the provider is loaded");
    return this.#registry;
  }

  /**
   * Loads the code of a component that has been known by its manifest only. What the provider does not have is left to whoever asks
   * for it.
   *
   * @throws SdkError `LOAD_FAILED`.
   */
  use({ kind, typeName }: { readonly kind: keyof PartialRegistry; readonly typeName: string }): Promise<void> | undefined {
    const known = this.registry[kind].get(typeName);
    // Nearly always it is there, and nothing has to be waited for.
    if (known === undefined || !("load" in known)) return undefined;
    return known.load().then((component) => void (this.registry[kind] as Map<string, CompiledComponent>).set(typeName, component));
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  resource(typeName: string): CompiledResource {
    return this.#loaded("resource", "resource", typeName);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  dataSource(typeName: string): CompiledDataSource {
    return this.#loaded("dataSource", "data source", typeName);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  ephemeralResource(typeName: string): CompiledEphemeralResource {
    return this.#loaded("ephemeralResource", "ephemeral resource", typeName);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  listResource(typeName: string): CompiledListResource {
    return this.#loaded("listResource", "list resource", typeName);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  action(typeName: string): CompiledAction {
    return this.#loaded("action", "action", typeName);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  stateStore(typeName: string): CompiledStateStore {
    return this.#loaded("stateStore", "state store", typeName);
  }

  /** @throws ProviderError `INVALID_REQUEST`. */
  function(name: string): CompiledFunction {
    return this.#loaded("function", "function", name);
  }

  #loaded<K extends keyof PartialRegistry>(kind: K, word: string, name: string): Extract<CompiledComponent, { readonly kind: K }> {
    const components = this.registry[kind];
    const component = components.get(name) ?? this.#unknownType(word, name, components);
    if (isLoaded<K>(component)) return component;
    throw new TypeError(`${name} is used before its code is loaded`);
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
