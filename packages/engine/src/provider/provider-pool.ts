// SPDX-License-Identifier: Apache-2.0
import { same, type Value } from "@tenon/cty";
import { mapCalls, type Diagnostic, type GetProviderSchemaResponse, type Provider } from "@tenon/schema";
import { formatProvider, type ProviderAddress } from "../address/provider.ts";
import { Semaphore } from "./semaphore.ts";
import type { ProviderSupply } from "./provider-supply.ts";

/** Limits of the calls of providers. */
export interface PoolOptions {
  /** Maximum number of calls in flight, in all providers together. */
  readonly parallelism: number;
  /** Maximum number of calls in flight in all instances of one provider, by source address. */
  readonly providerParallelism?: ReadonlyMap<string, number> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The value that a provider is configured with. */
export interface ConfiguredValue {
  /** Without marks. */
  readonly value: Value;
  /** Whether the value is wholly known and not ephemeral, so that a later stage of the run does not evaluate it again. */
  readonly isFinal: boolean;
  /** Whether the evaluation had warnings, which a later stage reports again. */
  readonly hasWarnings?: boolean;
}

/** How an instance of a provider is configured. */
export interface ConfigurationSteps<Settings extends ConfiguredValue> {
  /** Evaluates the configuration; undefined if the provider has none. */
  readonly evaluate: () => Promise<Settings | undefined>;
  /** Sends the configuration to the instance. Returns the warnings of the provider, which it has reported. */
  readonly configure: (instance: Provider, settings: Settings) => Promise<readonly Diagnostic[]>;
  /** Reports the warnings again, in a stage that uses an instance of an earlier one. */
  readonly repeat: (warnings: readonly Diagnostic[]) => void;
}

interface ConfiguredInstance {
  readonly instance: Provider;
  readonly settings: ConfiguredValue | undefined;
  readonly warnings: readonly Diagnostic[];
}

/**
 * The provider instances of one run. An instance is opened when it is first needed. At the end, all are closed in reverse order. The first
 * instance of a provider answers the request for schemas, and is the first to be configured.
 */
export class ProviderPool implements AsyncDisposable {
  readonly #supply: ProviderSupply;
  readonly #options: PoolOptions;
  /** Limits the calls in flight. */
  readonly semaphore: Semaphore;
  /** Limits for single providers. */
  readonly #limits = new Map<string, Semaphore>();
  readonly #first = new Map<string, Promise<Provider>>();
  readonly #claimed = new Set<string>();
  readonly #schemas = new Map<string, Promise<GetProviderSchemaResponse>>();
  readonly #configured = new Map<string, Promise<ConfiguredInstance>>();
  /** Instances that an earlier stage of the run configured. */
  readonly #earlier = new Map<string, Promise<ConfiguredInstance>>();
  readonly #open: Provider[] = [];

  constructor(supply: ProviderSupply, options: PoolOptions) {
    this.#supply = supply;
    this.#options = options;
    this.semaphore = new Semaphore(options.parallelism);
    for (const [provider, limit] of options.providerParallelism ?? []) this.#limits.set(provider, new Semaphore(limit));
  }

  /** Maximum number of calls in flight. */
  get parallelism(): number {
    return this.#options.parallelism;
  }

  /** Whether the pool can open the provider. */
  has(provider: ProviderAddress): boolean {
    return this.#supply.has(provider);
  }

  /** An instance for calls that need no configuration: schemas, validation, functions. It may be configured later. */
  unconfigured(provider: ProviderAddress): Promise<Provider> {
    return cached(this.#first, formatProvider(provider), () => this.#openInstance(provider));
  }

  /** The schemas of a provider. The diagnostics of the response can have errors. */
  schemas(provider: ProviderAddress): Promise<GetProviderSchemaResponse> {
    return cached(this.#schemas, formatProvider(provider), async () => (await this.unconfigured(provider)).getProviderSchema({}));
  }

  /**
   * The instance for a provider configuration, which is configured once in a stage. An instance of an earlier stage is used again if it has
   * the same configuration.
   *
   * @param id Identifies the instance of the configuration.
   * @param steps If one of them throws, all calls with the id reject with its error.
   */
  async configured<Settings extends ConfiguredValue>(
    id: string,
    provider: ProviderAddress,
    { evaluate, configure, repeat }: ConfigurationSteps<Settings>,
  ): Promise<Provider> {
    const { instance } = await cached(this.#configured, id, async () => {
      const settings = await evaluate();
      const earlier = await this.#earlier.get(id)?.catch(() => undefined);
      if (earlier !== undefined && isSameConfiguration(earlier.settings, settings)) {
        repeat(earlier.warnings);
        return earlier;
      }
      const text = formatProvider(provider);
      const isFirst = !this.#claimed.has(text);
      this.#claimed.add(text);
      const opened = await (isFirst ? this.unconfigured(provider) : this.#openInstance(provider));
      const warnings = settings === undefined ? [] : await configure(opened, settings);
      return { instance: opened, settings, warnings };
    });
    return instance;
  }

  /**
   * Begins a stage in which values of configurations may be known for the first time, or differ from earlier ones.
   *
   * @param stage `destruction` evaluates all configurations again; `apply` evaluates those again that the plan did not know completely, or
   *   that have ephemeral values, or warnings.
   */
  async beginStage(stage: "destruction" | "apply"): Promise<void> {
    for (const [id, configured] of this.#configured) {
      const { settings, warnings = [] } = (await configured.catch(() => undefined)) ?? {};
      const hasWarnings = settings?.hasWarnings === true || warnings.length > 0;
      if (stage === "apply" && (settings === undefined || (settings.isFinal && !hasWarnings))) continue;
      this.#earlier.set(id, configured);
      this.#configured.delete(id);
    }
  }

  /** Whether an earlier stage of the run configured an instance that this stage has not evaluated again. */
  isOfEarlierStage(id: string): boolean {
    return this.#earlier.has(id) && !this.#configured.has(id);
  }

  /** Asks all open instances to end their work gracefully. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#open.map((instance) => instance.stop({})));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#first.values(), ...this.#configured.values()]);
    const errors: unknown[] = [];
    for (const instance of this.#open.splice(0).toReversed()) await instance.close().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  async #openInstance(provider: ProviderAddress): Promise<Provider> {
    const { signal } = this.#options;
    const instance = await this.#supply.open(provider, signal === undefined ? {} : { signal });
    this.#open.push(instance);
    return this.#limited(instance, this.#limits.get(formatProvider(provider)));
  }

  /**
   * Limits the calls in flight, except `stop`, which must not wait for them.
   *
   * @param own The limit of the provider. A call that waits for it does not count towards the limit of all providers.
   */
  #limited(instance: Provider, own: Semaphore | undefined): Provider {
    const all = this.semaphore;
    const run = <T>(task: () => Promise<T>): Promise<T> => (own === undefined ? all.run(task) : own.run(() => all.run(task)));
    return {
      ...mapCalls(instance, {
        unary: (call, name) => (name === "stop" ? call : (request, options) => run(() => call(request, options))),
        streaming: (call) => call,
      }),
      close: () => instance.close(),
      [Symbol.asyncDispose]: () => instance.close(),
    };
  }
}

/** Returns the cached result of a key, or computes and caches it. Errors are cached, too. */
function cached<T>(results: Map<string, Promise<T>>, key: string, compute: () => Promise<T>): Promise<T> {
  let result = results.get(key);
  if (result === undefined) {
    results.set(key, (result = compute()));
    result.catch(() => undefined);
  }
  return result;
}

function isSameConfiguration(a: ConfiguredValue | undefined, b: ConfiguredValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.isFinal && b.isFinal && same(a.value, b.value);
}
