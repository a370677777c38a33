// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { errorDiagnostic, ProviderError, type CallOptions, type Diagnostic, type Provider } from "@tenon/schema";
import { answerWords, componentOf, logged } from "@tenon/schema/observability";
import type { ServedProvider } from "../definition/provider.ts";
import { createLog, heard, type LogFields, type Logger, silent } from "../logger.ts";
import { answering } from "../observability/observed-call.ts";
import { answerStream } from "./answer-stream.ts";
import { CallEnding } from "./call-ending.ts";
import { HandledCall } from "./handled-call.ts";
import type { Rpc } from "./rpc.ts";
import { rpcs, streamRpcs } from "./rpcs.ts";
import { Secrets } from "./secrets.ts";
import { messageOf, stackOf } from "./error-text.ts";
import { OpenCall, orAborted, type ServerCall } from "./server-call.ts";
import { ServedInstance } from "./served-instance.ts";
import type { StreamRpc } from "./stream-rpc.ts";

export interface ProviderOptions {
  /** Takes the log lines of handlers and of the server itself. Default: they go nowhere. */
  readonly logger?: Logger;
  /**
   * For development: plans and results are held against the rules of the cores before they are answered, and what breaks one is an error
   * that names attribute and rule. Default: false; the cores look too, but say less. `serve` does it while debugging, and where
   * `TENON_PROVIDER_CHECK` is set.
   */
  readonly checkAnswers?: boolean;
}

/**
 * One instance of a provider: the whole server, without a socket. `serve` puts it behind one; an engine or a test calls it.
 *
 * Lazy components are loaded, and `setup` runs, with the first call; what goes wrong then is answered by every call.
 */
export function createProvider(served: ServedProvider, options: ProviderOptions = {}): Provider {
  const instance = new ServedInstance(served, options.logger ?? silent, options.checkAnswers);
  let closed = false;
  const refuseClosed = (name: string): void => {
    if (closed) throw new ProviderError("CLOSED", `${name}: provider ${served.name} is closed`);
  };
  const provider = methods(
    (rpc) => async (request, callOptions) => {
      refuseClosed(rpc.name);
      return answerCall(instance, rpc, request, callOptions ?? {});
    },
    (rpc) =>
      async function* stream(request, callOptions) {
        refuseClosed(rpc.name);
        yield* answerStream(instance, rpc, request, callOptions?.signal, {
          openCall: (signal) => openCall(instance, rpc.name, rpc.about(request), { signal }),
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
    },
  });
}

/**
 * A provider that could not be loaded: every call answers why. The process that serves it stays alive, because a core that finds
 * it dead says nothing of the reason.
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

/** Every method of a provider but those that are about the instance itself. */
function methods(answer: (rpc: AnyRpc) => AnyCall, stream: (rpc: AnyStreamRpc) => AnyStream): Provider {
  const provider: Record<string, unknown> = {};
  for (const [method, rpc] of Object.entries(rpcs)) provider[method] = answer(rpc as unknown as AnyRpc);
  for (const [method, rpc] of Object.entries(streamRpcs)) provider[method] = stream(rpc as unknown as AnyStreamRpc);
  (provider as Record<symbol, unknown>)[Symbol.asyncDispose] = function dispose(this: Provider): Promise<void> {
    return this.close();
  };
  return provider as unknown as Provider;
}

async function answerCall(instance: ServedInstance, rpc: AnyRpc, request: unknown, caller: CallOptions): Promise<unknown> {
  // Who stops waiting by itself need not be listened for.
  const signal = caller.isAborted === undefined ? caller.signal : undefined;
  if (signal?.aborted) throw new ProviderError("CANCELLED", `${rpc.name}: the caller gave the call up`, { cause: signal.reason });
  const about = rpc.about(request);
  const call = openCall(instance, rpc.name, about, caller);
  const work = async (): Promise<unknown> => {
    try {
      await instance.load(call.log);
      const used = componentOf(about);
      if (used !== undefined) await instance.use(used);
    } catch (error) {
      call.log.error("the provider cannot be loaded", { error: stackOf(error) });
      return rpc.failed(request, [loadDiagnostic(error)]);
    }
    try {
      const response = await rpc.run(instance, request, call);
      return instance.checksAnswers ? await checked(instance, rpc, request, response, call) : response;
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      call.log.error(`${rpc.name} failed`, { error: stackOf(error) });
      const detail = call.secrets.hide(`${rpc.name}: ${messageOf(error)}`);
      return rpc.failed(request, [errorDiagnostic("Provider failed", detail)]);
    }
  };
  return answering.observed(
    { rpc: rpc.name, provider: instance.provider.name, requestId: call.current.requestId, about },
    (text) => call.secrets.hide(text),
    () => logged(heard(call.log), answerWords, () => orAborted(work(), signal, rpc.name)),
  );
}

async function checked(instance: ServedInstance, rpc: AnyRpc, request: unknown, response: unknown, call: ServerCall): Promise<unknown> {
  const { brokenRules } = await import("../development/answer-check.ts");
  const broken = brokenRules(rpc.name, request, response, instance);
  if (broken.length === 0) return response;
  const { diagnostics } = response as { readonly diagnostics: readonly Diagnostic[] };
  const hidden = broken.map((diagnostic) => ({ ...diagnostic, detail: call.secrets.hide(diagnostic.detail) }));
  return { ...(response as object), diagnostics: [...diagnostics, ...hidden] };
}

function openCall(instance: ServedInstance, rpc: string, about: LogFields, caller: CallOptions): ServerCall {
  const secrets = new Secrets(instance.secrets);
  const requestId = randomUUID();
  const fields = { tf_req_id: requestId, tf_provider: instance.provider.name, tf_rpc: rpc, ...about };
  const log = createLog(instance.logger, fields, (value) => secrets.hideIn(value));
  const ending = new CallEnding(caller, instance.stopSignal);
  return new OpenCall(new HandledCall(instance, requestId, rpc, log, ending), secrets, ending);
}

/** How long cleaning up may take, all of it, in milliseconds: a core kills a plugin that takes two seconds to end. */
const cleanUpWithin = 800;

/** The provider's own cleanup, then what `configure` has asked for. */
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
        // Nobody is left to be told, and what comes after it still has to be done.
        log.error("cleanup failed", { error: stackOf(error) });
      }
    }
  };
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), cleanUpWithin);
  if ((await Promise.race([all(), promise])) === "late") log.error("cleanup takes too long, and is given up", { after_ms: cleanUpWithin });
  clearTimeout(timer);
}

function loadDiagnostic(error: unknown): Diagnostic {
  return errorDiagnostic("Provider cannot be loaded", messageOf(error));
}
