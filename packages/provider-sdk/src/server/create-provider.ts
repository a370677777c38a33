// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, ProviderError, type CallOptions, type Diagnostic, type Provider } from "@tenon/schema";
import { componentOf, logged, serverLogMessages } from "@tenon/schema/observability";
import type { ServedProvider } from "../definition/provider.ts";
import { activeLog, createLog, type Log, type LogFields, type Logger, silentLogger } from "../logger.ts";
import { runInCall } from "../observability/current-call.ts";
import { callObservation } from "../observability/observed-call.ts";
import { streamEvents } from "./stream-events.ts";
import { CallEnding } from "./call/call-ending.ts";
import { HandledCall } from "./call/handled-call.ts";
import type { Rpc } from "./call/rpc.ts";
import { rpcs, streamRpcs } from "./rpcs.ts";
import { Secrets } from "./instance/secrets.ts";
import { logError } from "../observability/error-stack.ts";
import { messageOf } from "./call/error-text.ts";
import { OpenCall, orAborted, type ServerCall } from "./call/server-call.ts";
import { ServedInstance } from "./instance/served-instance.ts";
import type { StreamRpc } from "./call/stream-rpc.ts";

/** Options of {@link createProvider}. */
export interface ProviderOptions {
  /** Receives the log lines of handlers and of the server itself. Default: they are discarded. */
  readonly logger?: Logger;
  /**
   * Whether the server checks plans and results against the rules of the cores before it sends them; for development. A violation
   * becomes an error diagnostic that names the attribute and the rule. The cores check too, but their errors say less. Default: false.
   * `serve` turns it on in debug mode, and when `TENON_PROVIDER_CHECK` is set.
   */
  readonly checkResponses?: boolean;
}

/**
 * Creates one instance of a provider: the whole server, without a socket. `serve` puts it behind a socket; an engine or a test calls
 * it directly.
 *
 * The first call runs `setup` and loads the lazy components. If that fails, every call returns the error.
 */
export function createProvider(served: ServedProvider, options: ProviderOptions = {}): Provider {
  const instance = new ServedInstance(served, options.logger ?? silentLogger, options.checkResponses);
  let closed = false;
  const refuseClosed = (name: string): void => {
    if (closed) throw new ProviderError("CLOSED", `${name}: provider ${served.name} is closed`, { requestSent: false });
  };
  const provider = methods(
    (rpc) => (request, callOptions) => {
      try {
        refuseClosed(rpc.name);
        return answerCall(instance, rpc, request, callOptions ?? {});
      } catch (error) {
        return Promise.reject(error);
      }
    },
    (rpc) =>
      async function* stream(request, callOptions) {
        refuseClosed(rpc.name);
        yield* streamEvents(instance, rpc, request, callOptions?.signal, {
          openCall: (signal) => openCall(instance, rpc.name, rpc.logFields(request), { signal }),
          loadDiagnostic,
        });
      },
  );
  return Object.assign(provider, {
    stop: async () => {
      refuseClosed("StopProvider");
      instance.stop();
      return { error: "" };
    },
    close: async () => {
      if (closed) return;
      closed = true;
      instance.stop();
      await cleanUp(instance);
      instance.release();
    },
  });
}

/**
 * Creates a substitute for a provider that could not be loaded: every call returns the error. The process that serves it stays
 * alive, because a core does not report why a plugin process has exited.
 */
export function failedProvider(error: unknown): Provider {
  const diagnostic = loadDiagnostic(error);
  const provider = methods(
    (rpc) => async (request) => rpc.failed(request, [diagnostic]),
    (rpc) =>
      async function* stream(request) {
        yield rpc.failed(request, [diagnostic]);
      },
  );
  return Object.assign(provider, { stop: async () => ({ error: "" }), close: async () => {} });
}

type AnyRpc = Rpc<unknown, unknown>;
type AnyCall = (request: unknown, options?: CallOptions) => Promise<unknown>;
type AnyStreamRpc = StreamRpc<unknown, unknown>;
type AnyStream = (request: unknown, options?: CallOptions) => AsyncIterable<unknown>;

/** Every method of a provider except `stop` and `close`. */
function methods(answer: (rpc: AnyRpc) => AnyCall, stream: (rpc: AnyStreamRpc) => AnyStream): Provider {
  const provider: Record<string, unknown> = {};
  for (const [method, rpc] of Object.entries(rpcs)) provider[method] = answer(rpc as unknown as AnyRpc);
  for (const [method, rpc] of Object.entries(streamRpcs)) provider[method] = stream(rpc as unknown as AnyStreamRpc);
  (provider as Record<symbol, unknown>)[Symbol.asyncDispose] = function dispose(this: Provider): Promise<void> {
    return this.close();
  };
  return provider as unknown as Provider;
}

function answerCall(instance: ServedInstance, rpc: AnyRpc, request: unknown, caller: CallOptions): Promise<unknown> {
  // A caller with `isAborted` settles cancelled calls itself, so the server need not listen to its signal.
  const signal = caller.isAborted === undefined ? caller.signal : undefined;
  if (signal?.aborted)
    throw new ProviderError("CANCELLED", `${rpc.name}: the caller cancelled the call`, { cause: signal.reason, requestSent: false });
  const about = rpc.logFields(request);
  const call = openCall(instance, rpc.name, about, caller);
  const work = async (): Promise<unknown> => {
    try {
      if (!instance.isLoaded) await instance.load(call.log);
      const component = componentOf(about);
      const loading = component && instance.loadComponent(component);
      if (loading !== undefined) await loading;
    } catch (error) {
      logError(call.log, "the provider cannot be loaded", error);
      instance.inFlight.end(call.secrets);
      return rpc.failed(request, [loadDiagnostic(error)]);
    }
    try {
      const response = await runInCall(call.current, () => rpc.run(instance, request, call));
      return instance.checksResponses ? await checked(instance, rpc, request, response, call) : response;
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      logError(call.log, `${rpc.name} failed`, error);
      const detail = call.secrets.hide(`${rpc.name}: ${messageOf(error)}`);
      return rpc.failed(request, [errorDiagnostic("Provider failed", detail)]);
    } finally {
      instance.inFlight.end(call.secrets);
    }
  };
  const answered = (): Promise<unknown> => logged(activeLog(call.log), serverLogMessages, () => orAborted(work(), signal, rpc.name));
  if (!callObservation.isWatched) return answered();
  const event = { rpc: rpc.name, provider: instance.provider.name, requestId: call.current.requestId, about };
  return callObservation.observed(event, (text) => call.secrets.hide(text), answered);
}

async function checked(instance: ServedInstance, rpc: AnyRpc, request: unknown, response: unknown, call: ServerCall): Promise<unknown> {
  const { checkResponse } = await import("../development/response-check.ts");
  const violations = checkResponse(rpc.name, request, response, instance);
  if (violations.length === 0) return response;
  const { diagnostics } = response as { readonly diagnostics: readonly Diagnostic[] };
  const masked = violations.map((diagnostic) => ({ ...diagnostic, detail: call.secrets.hide(diagnostic.detail) }));
  return { ...(response as object), diagnostics: [...diagnostics, ...masked] };
}

function openCall(instance: ServedInstance, rpc: string, about: LogFields, caller: CallOptions): ServerCall {
  const secrets = new Secrets(instance.secrets);
  instance.inFlight.begin(secrets, { responseIsSecret: rpc === "OpenEphemeralResource" });
  const ending = new CallEnding(caller, instance.stopSignal);
  const logOf = (requestId: string): Log =>
    createLog(instance.logger, { tf_req_id: requestId, tf_provider: instance.provider.name, tf_rpc: rpc, ...about }, (value) =>
      secrets.hideIn(value),
    );
  return new OpenCall(new HandledCall(instance, rpc, logOf, ending), secrets, ending);
}

/** Time limit for all cleanup hooks together, in milliseconds: a core kills a plugin that takes two seconds to exit. */
const cleanupTimeoutMs = 800;

/** Runs the provider's own cleanup, then the hooks that `configure` registered. */
async function cleanUp(instance: ServedInstance): Promise<void> {
  const { configuration, provider, cleanups } = instance;
  const { cleanup } = provider;
  const log = createLog(instance.logger, { tf_provider: provider.name }, (value) => instance.secrets.hideIn(value));
  const hooks = [...cleanups];
  if (configuration.kind === "configured" && cleanup !== undefined) hooks.unshift(() => cleanup({ client: configuration.client, log }));
  if (hooks.length === 0) return;
  const all = async (): Promise<void> => {
    for (const hook of hooks) {
      try {
        await hook();
      } catch (error) {
        // No caller is left to receive the error, and the remaining hooks must still run.
        logError(log, "cleanup failed", error);
      }
    }
  };
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), cleanupTimeoutMs);
  if ((await Promise.race([all(), promise])) === "late") log.error("cleanup timed out", { after_ms: cleanupTimeoutMs });
  clearTimeout(timer);
}

function loadDiagnostic(error: unknown): Diagnostic {
  return errorDiagnostic("Provider cannot be loaded", messageOf(error));
}
