// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, testConformance, type Value } from "@tenon/cty";
import { ProviderError, type Deferred } from "@tenon/schema";
import { InFlightSecrets } from "@tenon/schema/observability";
import type { ServedProvider } from "../../definition/provider.ts";
import { silentLogger, type Log, type Logger } from "../../logger.ts";
import { PrivateStateVault } from "../../private-state/private-state-vault.ts";
import type { CompiledAction } from "../../compile/action.ts";
import { userAgentOf } from "../../observability/user-agent.ts";
import type { CompiledDataSource } from "../../compile/data-source.ts";
import type { CompiledEphemeralResource } from "../../compile/ephemeral-resource.ts";
import type { CompiledFunction } from "../../compile/function.ts";
import type { CompiledListResource } from "../../compile/list-resource.ts";
import type { CompiledComponent } from "../../compile/any-component.ts";
import type { CompiledProvider } from "../../compile/provider.ts";
import { compiledParts } from "../../compile/served-provider.ts";
import type { CompiledResource } from "../../compile/resource.ts";
import type { ObjectShape } from "../../shape/shape.ts";
import type { CompiledStateStore } from "../../compile/state-store.ts";
import { isLoaded, loadPartly, type PartialRegistry } from "./registry.ts";
import { processSecrets } from "./process-secrets.ts";
import { Secrets } from "./secrets.ts";

/** State of the provider's configuration. */
export type Configuration =
  | { readonly kind: "none" }
  | { readonly kind: "configured"; readonly client: unknown }
  /** `configure` has not run, because the configuration contains unknown values; `unknown` names those attributes. */
  | { readonly kind: "waiting"; readonly unknown: readonly string[] }
  /** `configure` deferred. */
  | { readonly kind: "deferred"; readonly deferred: Deferred }
  | { readonly kind: "failed" };

/** A configured state store. */
export interface OpenStateStore {
  readonly store: unknown;
  /** Size of every chunk but the last, in bytes. */
  readonly chunkSize: number;
}

/** One running instance of a provider: its loaded components, its configuration, and its calls in flight. */
export class ServedInstance {
  readonly provider: CompiledProvider;
  readonly logger: Logger;
  /** Whether responses are checked against the rules of the cores. */
  readonly checksResponses: boolean;
  /** Secrets of the provider's own configuration, which every call can contain. */
  readonly secrets: Secrets = new Secrets();
  /** Secrets of the calls in flight. */
  readonly inFlight: InFlightSecrets = new InFlightSecrets(processSecrets);
  /** Encrypts and decrypts private data. */
  readonly vault: PrivateStateVault;
  /** Cleanup hooks that `configure` registered, in the order in which they run. */
  readonly cleanups: (() => void | Promise<void>)[] = [];
  configuration: Configuration = { kind: "none" };
  /** Version of the core that configured the provider. */
  terraformVersion: string | undefined;
  /** Open state stores, by type. */
  readonly stateStores: Map<string, OpenStateStore> = new Map();
  readonly #served: ServedProvider;
  #stopping = new AbortController();
  #loading: Promise<PartialRegistry> | undefined;
  #registry: PartialRegistry | undefined;

  constructor(served: ServedProvider, logger: Logger, checksResponses = false) {
    this.checksResponses = checksResponses;
    this.provider = compiledParts(served)["~provider"];
    this.logger = logger === silentLogger ? silentLogger : holdingLogger(logger, this.inFlight);
    processSecrets.begin(this.secrets);
    this.vault = new PrivateStateVault(this.provider.name, this.provider.privateState);
    this.#served = served;
  }

  /** Value of the `User-Agent` header for requests to remote systems. */
  get userAgent(): string {
    return userAgentOf(this.provider.name, this.provider.version, this.terraformVersion);
  }

  /** Removes the secrets of the instance from those of the process. Call it last. */
  release(): void {
    processSecrets.end(this.secrets);
  }

  /** Aborts when the instance is stopped. */
  get stopSignal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborts the calls in flight. Later calls run normally. */
  stop(): void {
    this.#stopping.abort(new Error("the run was interrupted"));
    this.#stopping = new AbortController();
  }

  /** Whether {@link load} has loaded the components. */
  get isLoaded(): boolean {
    return this.#registry !== undefined;
  }

  /** Runs `setup` and loads the components, once. @throws the error of `setup`, and SdkError. */
  load(log: Log): Promise<PartialRegistry> {
    this.#loading ??= this.#load(log);
    return this.#loading;
  }

  async #load(log: Log): Promise<PartialRegistry> {
    await this.provider.setup?.({ signal: this.stopSignal, log });
    this.#registry = await loadPartly(this.#served);
    return this.#registry;
  }

  /** The components that {@link load} loaded. Every call waits for it before its handler runs. */
  get registry(): PartialRegistry {
    if (this.#registry === undefined) throw new TypeError("the provider is not loaded yet: call load() first");
    return this.#registry;
  }

  /**
   * Loads the code of a component that is known only from its manifest. A component that the provider does not have is ignored here:
   * the RPC itself reports it.
   *
   * @throws SdkError `LOAD_FAILED`.
   */
  loadComponent({ kind, typeName }: { readonly kind: keyof PartialRegistry; readonly typeName: string }): Promise<void> | undefined {
    const known = this.registry[kind].get(typeName);
    // Fast path: in most calls the code is loaded, and there is nothing to wait for.
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

/** Requires a value to have the schema's type. @throws ProviderError `INVALID_REQUEST`. */
export function requireConforming(shape: ObjectShape, value: Value, what: string): void {
  if (value.type === shape.type) return;
  if (hasDynamic(shape.type) && testConformance(value.type, shape.type).length === 0) return;
  if (value.payload === null && value.type.kind === "dynamic") return;
  throw new ProviderError("INVALID_REQUEST", `${what} does not have the type of the schema`);
}

/** A logger that holds its lines back while an ephemeral resource is opened, so that its values are masked in them. */
function holdingLogger(logger: Logger, inFlight: InFlightSecrets): Logger {
  return (entry) => {
    if (inFlight.isHolding) {
      inFlight.hold(() => logger({ level: entry.level, message: inFlight.hide(entry.message), fields: inFlight.hideIn(entry.fields) }));
    } else logger(entry);
  };
}
