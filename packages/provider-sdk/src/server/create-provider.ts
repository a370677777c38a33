// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { errorDiagnostic, ProviderError, type CallOptions, type Diagnostic, type Provider } from "@tenon/schema";
import type { ServedProvider } from "../definition/provider.ts";
import { createLog, type LogFields, type Logger, silent } from "../logger.ts";
import { observed } from "../observability/observed-call.ts";
import { answerStream } from "./answer-stream.ts";
import { logged } from "./call-log.ts";
import { HandledCall } from "./handled-call.ts";
import type { Rpc } from "./rpc.ts";
import { rpcs, streamRpcs } from "./rpcs.ts";
import { Secrets } from "./secrets.ts";
import { messageOf, stackOf } from "./error-text.ts";
import { orAborted, warnThrough, type ServerCall } from "./server-call.ts";
import { ServedInstance } from "./served-instance.ts";
import type { StreamRpc } from "./stream-rpc.ts";

export interface ProviderOptions {
  /** Takes the log lines of handlers and of the server itself. Default: they go nowhere. */
  readonly logger?: Logger;
}

/**
 * One instance of a provider: the whole server, without a socket. `serve` puts it behind one; an engine or a test calls it.
 *
 * Lazy components are loaded, and `setup` runs, with the first call; what goes wrong then is answered by every call.
 */
export function createProvider(served: ServedProvider, options: ProviderOptions = {}): Provider {
  const instance = new ServedInstance(served, options.logger ?? silent);
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
          openCall: (signal) => openCall(instance, rpc.name, rpc.about(request), signal),
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

async function answerCall(instance: ServedInstance, rpc: AnyRpc, request: unknown, { signal }: CallOptions): Promise<unknown> {
  if (signal?.aborted) throw new ProviderError("CANCELLED", `${rpc.name}: the caller gave the call up`, { cause: signal.reason });
  const about = rpc.about(request);
  const call = openCall(instance, rpc.name, about, signal);
  const work = async (): Promise<unknown> => {
    try {
      await instance.load(call.log);
    } catch (error) {
      call.log.error("the provider cannot be loaded", { error: stackOf(error) });
      return rpc.failed(request, [loadDiagnostic(error)]);
    }
    try {
      return await rpc.run(instance, request, call);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      call.log.error(`${rpc.name} failed`, { error: stackOf(error) });
      const detail = call.secrets.hide(`${rpc.name}: ${messageOf(error)}`);
      return rpc.failed(request, [errorDiagnostic("Provider failed", detail)]);
    }
  };
  return observed(
    { rpc: rpc.name, provider: instance.provider.name, requestId: call.current.requestId, about },
    (text) => call.secrets.hide(text),
    () => logged(call.log, () => orAborted(work(), signal, rpc.name)),
  );
}

function openCall(instance: ServedInstance, rpc: string, about: LogFields, caller: AbortSignal | undefined): ServerCall {
  const secrets = new Secrets(instance.secrets);
  const diagnostics: Diagnostic[] = [];
  const requestId = randomUUID();
  const fields = { tf_req_id: requestId, tf_provider: instance.provider.name, tf_rpc: rpc, ...about };
  const signal = caller === undefined ? instance.stopSignal : AbortSignal.any([caller, instance.stopSignal]);
  const log = createLog(instance.logger, fields, (value) => secrets.hideIn(value));
  return {
    signal,
    current: new HandledCall(instance, requestId, rpc, log, signal),
    log,
    secrets,
    diagnostics,
    warn: warnThrough(diagnostics),
  };
}

async function cleanUp(instance: ServedInstance): Promise<void> {
  const { configuration, provider } = instance;
  if (configuration.kind !== "configured" || provider.cleanup === undefined) return;
  const log = createLog(instance.logger, { tf_provider: provider.name }, (value) => instance.secrets.hideIn(value));
  try {
    await provider.cleanup({ client: configuration.client, log });
  } catch (error) {
    // Nobody is left to be told.
    log.error("cleanup failed", { error: stackOf(error) });
  }
}

function loadDiagnostic(error: unknown): Diagnostic {
  return errorDiagnostic("Provider cannot be loaded", messageOf(error));
}
