// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import {
  mapCalls,
  type AnyStreamingCall,
  type AnyUnaryCall,
  type CallName,
  type CallOptions,
  type Diagnostic,
  type GetProviderSchemaResponse,
  type Provider,
  type StateChunk,
} from "@tenon/schema";
import {
  type CallEvent,
  type CallLog,
  callSubject,
  clientLogMessages,
  logDiagnostics,
  logError,
  logged,
  loggedStream,
} from "@tenon/schema/observability";
import { resolveLogLevel, type LogSettings } from "../output/log-settings.ts";
import { notifyListener } from "../listener.ts";
import { createLogSink, type LogSink } from "../output/log-record.ts";
import { holdsValues, mayHaveSecrets, secretsOfCall } from "../secrets/message-secrets.ts";
import { secretTexts } from "../secrets/message-texts.ts";
import { callLog } from "./call-log.ts";
import { outcomeOf, streamProgressOf } from "./call-outcome.ts";
import type { CallOutcome, CallProgress, ObservedCall } from "./call-progress.ts";
import { CallSecrets } from "./call-secrets.ts";
import { calling } from "./calling.ts";
import { SessionSecrets } from "./session-secrets.ts";

/** Options of {@link traced}. */
export interface TracedOptions extends LogSettings {
  /** Name of the provider in logs, spans and events. Default: its own `name`, or `provider`. */
  readonly name?: string;
  /** Called when a call begins, when it makes progress, and when it has ended. An exception it throws is uncaught. Default: no listener. */
  readonly onCall?: (event: CallProgress) => void;
}

/**
 * Makes the calls of a provider observable. Each call is a span of OpenTelemetry if that is set up, an event of the channel
 * `tenon:host:call` of `node:diagnostics_channel`, log records for `onLog`, and events for `onCall`. Without a listener, calls are passed
 * through unchanged.
 *
 * Values that the schema marks as sensitive or write-only are masked, except in the channel's `result`, which is the response itself.
 *
 * @throws PluginHostError `INVALID_OPTIONS`
 *
 * @example
 * const provider = traced(await launchProvider({ command }), { onCall: (event) => console.log(event.kind, event.call.rpc) });
 */
export function traced(provider: Provider, options: TracedOptions = {}): Provider {
  return tracedSession(provider, options, new SessionSecrets());
}

/** Like {@link traced}, for a session whose log is masked with the secrets of its calls. */
export function tracedSession(provider: Provider, options: TracedOptions, session: SessionSecrets): Provider {
  const tracer = new Tracer(options.name ?? ownName(provider), options, session);
  const close = (): Promise<void> => provider.close();
  return { ...provider, ...mapCalls(provider, tracer), close, [Symbol.asyncDispose]: close };
}

function ownName(provider: Provider): string {
  return "name" in provider && typeof provider.name === "string" ? provider.name : "provider";
}

/** One observed call. */
interface Observation {
  readonly event: CallEvent;
  readonly call: ObservedCall;
  readonly secrets: CallSecrets;
  readonly start: number;
}

class Tracer {
  readonly #name: string;
  readonly #sink: LogSink | undefined;
  readonly #onCall: ((event: CallProgress) => void) | undefined;
  readonly #session: SessionSecrets;
  #schema: GetProviderSchemaResponse | undefined;

  constructor(name: string, options: TracedOptions, session: SessionSecrets) {
    this.#name = name;
    this.#session = session;
    this.#sink = createLogSink(options.onLog, resolveLogLevel(options));
    this.#onCall = options.onCall;
  }

  unary(call: AnyUnaryCall, method: CallName): AnyUnaryCall {
    const observed: AnyUnaryCall = (request, options) => {
      if (this.#isWatched) return this.#observe(method, call, request, options);
      return this.#sink === undefined ? call(request, options) : this.#logProblems(this.#sink, method, call, request, options);
    };
    if (method === "getProviderSchema") return async (request, options) => this.#keepSchema(await observed(request, options));
    if (method !== "configureProvider") return observed;
    return (request, options) => {
      this.#session.configured.addTexts(() => this.#textsOf(method, request, request));
      return observed(request, options);
    };
  }

  streaming(call: AnyStreamingCall, method: CallName): AnyStreamingCall {
    return (request, options) => (this.#isObserved ? this.#observeStream(method, call, request, options) : call(request, options));
  }

  get #isObserved(): boolean {
    return this.#sink !== undefined || this.#isWatched;
  }

  /** Whether anyone gets an event for each call. Otherwise at most the diagnostics and errors of calls are logged. */
  get #isWatched(): boolean {
    return this.#onCall !== undefined || calling.isWatched || this.#sink?.accepts("trace") === true;
  }

  /** Keeps the schema, which marks the secrets in later messages. */
  #keepSchema(response: object): object {
    this.#schema = response as GetProviderSchemaResponse;
    return response;
  }

  async #observe(method: CallName, call: AnyUnaryCall, request: object, options: CallOptions | undefined): Promise<object> {
    const observation = this.#begin(method, request);
    const counted =
      "chunks" in request ? { ...request, chunks: this.#counted(observation, request.chunks as AsyncIterable<StateChunk>) } : request;
    const respond = async (): Promise<object> => {
      const response = await call(counted, options);
      observation.secrets.addResponse(response);
      return response;
    };
    try {
      const log = this.#sink && callLog(this.#sink, observation.event, observation.secrets);
      const response = await calling.observed(observation.event, observation.secrets.hide, () => logged(log, clientLogMessages, respond));
      this.#end(observation, outcomeOf(response));
      return response;
    } catch (error) {
      this.#end(observation, this.#failure(observation, error));
      throw error;
    }
  }

  /** Makes a call, and logs its diagnostics or its error. */
  async #logProblems(
    sink: LogSink,
    method: CallName,
    call: AnyUnaryCall,
    request: object,
    options: CallOptions | undefined,
  ): Promise<object> {
    const start = performance.now();
    const secrets = this.#beginSecrets(method, request);
    const log = (): CallLog => {
      const event = { ...callSubject(method, request), provider: this.#name, requestId: randomUUID() };
      return callLog(sink, event, secrets);
    };
    try {
      const response = await call(request, options);
      secrets.addResponse(response);
      const { diagnostics = [] } = response as { readonly diagnostics?: readonly Diagnostic[] };
      if (diagnostics.length > 0) logDiagnostics(log(), diagnostics);
      return response;
    } catch (error) {
      logError(log(), start, error);
      throw error;
    } finally {
      this.#session.end(secrets);
    }
  }

  #beginSecrets(method: CallName, request: object): CallSecrets {
    const secrets = new CallSecrets(this.#session.configured, request, (message) => this.#textsOf(method, request, message));
    if (mayHaveSecrets(method, request, this.#schema)) {
      this.#session.begin(secrets, { responseIsSecret: method === "openEphemeralResource" });
    }
    return secrets;
  }

  async *#observeStream(
    method: CallName,
    call: AnyStreamingCall,
    request: object,
    options: CallOptions | undefined,
  ): AsyncGenerator<object, void> {
    const observation = this.#begin(method, request);
    const log = this.#sink && callLog(this.#sink, observation.event, observation.secrets);
    const counts = { errors: 0, warnings: 0 };
    let items = 0;
    let outcome: CallOutcome = { outcome: "brokenOff", ...counts };
    try {
      const responses = loggedStream(log, clientLogMessages, addingSecrets(observation.secrets, call(request, options)));
      for await (const item of calling.observedStream(observation.event, observation.secrets.hide, responses)) {
        const { errors, warnings } = outcomeOf(item);
        counts.errors += errors;
        counts.warnings += warnings;
        items++;
        const progress = streamProgressOf(item, items, observation.secrets.hide);
        if (progress !== undefined) this.#notify({ kind: "streaming", call: observation.call, ...progress });
        outcome = { outcome: "brokenOff", ...counts };
        yield item;
      }
      outcome = { outcome: counts.errors > 0 ? "refused" : "answered", ...counts };
    } catch (error) {
      outcome = this.#failure(observation, error);
      throw error;
    } finally {
      this.#end(observation, outcome);
    }
  }

  #begin(method: CallName, request: object): Observation {
    const { rpc, about } = callSubject(method, request);
    const [typeName] = Object.values(about);
    const requestId = randomUUID();
    const call: ObservedCall = { requestId, provider: this.#name, rpc, typeName };
    const secrets = this.#beginSecrets(method, request);
    this.#notify({ kind: "calling", call });
    return { event: { rpc, provider: this.#name, requestId, about }, call, secrets, start: performance.now() };
  }

  #end({ call, secrets, start }: Observation, outcome: CallOutcome): void {
    this.#session.end(secrets);
    this.#notify({ kind: "called", call, durationMs: performance.now() - start, ...outcome });
  }

  #failure({ secrets }: Observation, error: unknown): CallOutcome {
    const message = secrets.hide(error instanceof Error ? error.message : String(error));
    return { outcome: "failed", errors: 0, warnings: 0, message };
  }

  async *#counted({ call }: Observation, chunks: AsyncIterable<StateChunk>): AsyncGenerator<StateChunk, void> {
    let items = 0;
    let bytes = 0;
    for await (const chunk of chunks) {
      items++;
      bytes += chunk.bytes.length;
      this.#notify({ kind: "streaming", call, items, bytes, totalBytes: chunk.totalLength });
      yield chunk;
    }
  }

  #textsOf(method: CallName, request: object, message: object): Iterable<string> {
    return holdsValues(method) ? secretTexts(message, secretsOfCall(method, request, this.#schema)) : [];
  }

  #notify(event: CallProgress): void {
    notifyListener(this.#onCall, event);
  }
}

async function* addingSecrets(secrets: CallSecrets, items: AsyncIterable<object>): AsyncGenerator<object, void> {
  for await (const item of items) {
    secrets.addResponse(item);
    yield item;
  }
}
