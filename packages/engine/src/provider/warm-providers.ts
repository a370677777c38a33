// SPDX-License-Identifier: Apache-2.0
import { same, type Value } from "@tenon/cty";
import {
  createCalls,
  hasErrors,
  mapCalls,
  ProviderError,
  type AnyStreamingCall,
  type AnyUnaryCall,
  type CallOptions,
  type Provider,
  type ProviderCalls,
  type ProviderFactory,
} from "@tenon/schema";
import { EngineError } from "../error.ts";

/** Options of {@link WarmProviders}. */
export interface WarmProvidersOptions {
  /** Maximum number of idle instances, which no run uses. Beyond it, the instance that has been idle longest is closed. Default: 10. */
  readonly maximumIdle?: number;
  /** How long an idle instance is kept, in milliseconds. Default: five minutes. */
  readonly idleMs?: number;
}

/** The configuration of an instance, and the response to it. */
interface Configured {
  readonly request: ConfigureRequest;
  readonly response: Awaited<ReturnType<Provider["configureProvider"]>>;
}

type ConfigureRequest = Parameters<Provider["configureProvider"]>[0];

/** An instance, with the data that decide whether a later run can use it. */
interface WarmInstance {
  readonly origin: unknown;
  readonly provider: Provider;
  /** The calls of the provider, which set `isDoubtful`. */
  readonly calls: ProviderCalls;
  configured: Configured | undefined;
  /** Whether the state of the instance is not known, because it was asked to stop, or because a call failed or was cancelled. */
  isDoubtful: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Keeps provider instances after a run for later runs, also of other workspaces. Launched processes continue to run, schemas are not requested
 * again, and an instance that is configured already is used for a run that needs the same configuration.
 *
 * An instance is used by one run at a time. It is closed, and not kept, if it was asked to stop, or if one of its calls failed or was cancelled.
 * Close the whole object at the end; otherwise launched processes can keep this process running until their instances have been idle for
 * `idleMs`.
 *
 * @example
 * await using warm = new WarmProviders();
 * const workspace = openWorkspace({ configuration: "./infra", providers, warmProviders: warm });
 */
export class WarmProviders implements AsyncDisposable {
  readonly #maximumIdle: number;
  readonly #idleMs: number;
  /** Instances that no run uses. The first has been idle longest. */
  readonly #idle: WarmInstance[] = [];
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  /** @throws EngineError `INVALID_OPTIONS` for negative numbers, and for a `maximumIdle` that is not an integer. */
  constructor({ maximumIdle = 10, idleMs = 5 * 60_000 }: WarmProvidersOptions = {}) {
    if (!(Number.isInteger(maximumIdle) && maximumIdle >= 0)) {
      throw new EngineError("INVALID_OPTIONS", `maximumIdle is ${maximumIdle}, but must be an integer of at least 0`);
    }
    if (!(idleMs >= 0)) throw new EngineError("INVALID_OPTIONS", `idleMs is ${idleMs}, but must be at least 0`);
    this.#maximumIdle = maximumIdle;
    // Node.js fires a timer with a longer time at once.
    this.#idleMs = Math.min(idleMs, 2 ** 31 - 1);
  }

  /** Number of idle instances. */
  get idleCount(): number {
    return this.#idle.length;
  }

  /**
   * Returns a factory whose instances are kept when a run closes them.
   *
   * @param origin Identifies the provider: instances with the same origin are interchangeable. Default: the factory.
   */
  keep(factory: ProviderFactory, origin: unknown = factory): ProviderFactory {
    // Schemas and validation do not depend on the configuration of an instance.
    return async (options = {}) => {
      const ready = await this.#ready((one) => one.origin === origin, options);
      return this.#lease(ready ?? (await open(origin, factory, options)), factory, options);
    };
  }

  /** Closes the idle instances. Instances in use are closed when their runs end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const instance of this.#idle.splice(0)) this.#discard(instance);
    await Promise.all(this.#closing);
  }

  /** Takes an idle instance that still responds. */
  async #ready(isWanted: (instance: WarmInstance) => boolean, options: CallOptions): Promise<WarmInstance | undefined> {
    for (;;) {
      const instance = this.#take(isWanted);
      if (instance === undefined) return undefined;
      if (await responds(instance, options)) return instance;
      this.#discard(instance);
    }
  }

  #take(isWanted: (instance: WarmInstance) => boolean): WarmInstance | undefined {
    const index = this.#idle.findLastIndex(isWanted);
    if (index === -1) return undefined;
    const [instance] = this.#idle.splice(index, 1);
    clearTimeout(instance!.timer);
    return instance;
  }

  /**
   * Returns an instance for a run, until the run closes it. When the run configures it, another instance can take its place: one that has the
   * same configuration already, or one that has none, because an instance is configured once.
   */
  #lease(first: WarmInstance, factory: ProviderFactory, options: CallOptions): Provider {
    const { origin } = first;
    let instance = first;
    let isReturned = false;
    // A call goes to the instance that the run has at the time of the call.
    const calls = createCalls({
      unary: (name) => (request, callOptions) => (instance.calls[name] as AnyUnaryCall)(request, callOptions),
      streaming: (name) => (request, callOptions) => (instance.calls[name] as AnyStreamingCall)(request, callOptions),
    });
    const configureProvider: Provider["configureProvider"] = async (request, callOptions) => {
      const isEqual = ({ configured }: WarmInstance): boolean => isSameRequest(configured?.request, request);
      if (!isEqual(instance)) {
        const equal = await this.#ready((one) => one.origin === origin && isEqual(one), options);
        const isFresh = (one: WarmInstance): boolean => one.origin === origin && one.configured === undefined;
        const next =
          equal ??
          (instance.configured === undefined
            ? instance
            : ((await this.#ready(isFresh, options)) ?? (await open(origin, factory, options))));
        if (next !== instance) this.#release(instance);
        instance = next;
      }
      if (instance.configured !== undefined) return instance.configured.response;
      const used = instance;
      const response = await calls.configureProvider(request, callOptions);
      if (hasErrors(response.diagnostics)) used.isDoubtful = true;
      used.configured = { request, response };
      return response;
    };
    const close = async (): Promise<void> => {
      if (isReturned) return;
      isReturned = true;
      this.#release(instance);
      if (this.#isClosed) await Promise.all(this.#closing);
    };
    return { ...calls, configureProvider, close, [Symbol.asyncDispose]: close };
  }

  /** Makes an instance idle, or closes it if no later run can use it. */
  #release(instance: WarmInstance): void {
    if (this.#isClosed || instance.isDoubtful || this.#maximumIdle === 0) return this.#discard(instance);
    this.#idle.push(instance);
    instance.timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(instance), 1);
      this.#discard(instance);
    }, this.#idleMs);
    instance.timer.unref();
    const [longest] = this.#idle;
    if (this.#idle.length > this.#maximumIdle && longest !== undefined) this.#discard(this.#take((one) => one === longest)!);
  }

  #discard({ provider }: WarmInstance): void {
    const closing = provider.close().catch(() => undefined);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

async function open(origin: unknown, factory: ProviderFactory, options: CallOptions): Promise<WarmInstance> {
  const provider = await factory(options);
  const calls = mapCalls(provider, {
    unary: (call, name) => (request, callOptions) => {
      if (name === "stop") instance.isDoubtful = true;
      return call(request, callOptions).catch((error: unknown) => {
        if (!(error instanceof ProviderError && error.code === "UNIMPLEMENTED")) instance.isDoubtful = true;
        throw error;
      });
    },
    streaming: (call) => call,
  });
  const instance: WarmInstance = { origin, provider, calls, configured: undefined, isDoubtful: false };
  return instance;
}

/** Whether an instance still responds. Its process may have ended while it was idle. */
async function responds({ provider }: WarmInstance, options: CallOptions): Promise<boolean> {
  try {
    await provider.getMetadata({}, options);
    return true;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return error instanceof ProviderError && error.code === "UNIMPLEMENTED";
  }
}

function isSameRequest(kept: ConfigureRequest | undefined, request: ConfigureRequest): boolean {
  if (kept === undefined || kept.terraformVersion !== request.terraformVersion) return false;
  if (JSON.stringify(kept.clientCapabilities) !== JSON.stringify(request.clientCapabilities)) return false;
  return sameValue(kept.config, request.config);
}

function sameValue(a: Value, b: Value): boolean {
  return a.type === b.type && same(a, b);
}
