// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import type { CallOptions, GetProviderSchemaResponse, Provider, StateChunk, StreamingCall, UnaryCall } from "@tenon/schema";
import { callSubject, logged, loggedStream, requestWords, type CallEvent } from "@tenon/schema/observability";
import { resolveLogLevel, type LogSettings } from "../launch/launch-options.ts";
import { tellListener } from "../listener.ts";
import { createLogSink, type LogSink } from "../output/log-record.ts";
import { streamingNames, unaryNames, type StreamingName } from "../provider/call-names.ts";
import { holdsValues, secretsOfCall, type MethodName } from "../secrets/message-secrets.ts";
import { secretTexts } from "../secrets/message-texts.ts";
import { callLog } from "./call-log.ts";
import { outcomeOf, streamProgressOf } from "./call-outcome.ts";
import type { CallOutcome, CallProgress, ObservedCall } from "./call-progress.ts";
import { CallSecrets } from "./call-secrets.ts";
import { calling } from "./calling.ts";
import { SessionSecrets } from "./session-secrets.ts";

/** How a provider's calls are watched. */
export interface TracedOptions extends LogSettings {
  /** What logs, spans and events call the provider. Default: its own `name`, or `provider`. */
  readonly name?: string;
  /** Told of each call when it begins, goes on and has ended. What it throws is an uncaught exception. Default: nobody. */
  readonly onCall?: (event: CallProgress) => void;
}

/**
 * A provider whose calls can be watched: each is a span of OpenTelemetry where that is set up, an event of the channel `tenon:host:call`
 * of `node:diagnostics_channel`, lines for `onLog`, and events for `onCall`. Where nobody watches, a call costs no more than without.
 *
 * What the schema calls sensitive or write-only is masked in everything but the channel's `result`, which is the answer itself.
 *
 * @throws PluginHostError `INVALID_OPTIONS`
 *
 * @example
 * const provider = traced(await launchProvider({ command }), { onCall: (event) => console.log(event.kind, event.call.rpc) });
 */
export function traced(provider: Provider, options: TracedOptions = {}): Provider {
  return tracedSession(provider, options, new SessionSecrets());
}

/** The same, of a provider whose log is masked by what its calls tell of. */
export function tracedSession(provider: Provider, options: TracedOptions, session: SessionSecrets): Provider {
  const tracer = new Tracer(options.name ?? ownName(provider), options, session);
  const calls: Record<string, unknown> = { stop: tracer.unary("stop", provider.stop) };
  for (const name of unaryNames) calls[name] = tracer.unary(name, provider[name]);
  for (const name of streamingNames) calls[name] = tracer.streaming(name, provider[name] as StreamingCall<never, unknown>);
  const close = (): Promise<void> => provider.close();
  // The names are all there are, and each call has the type of the one it wraps.
  return { ...provider, ...(calls as unknown as Provider), close, [Symbol.asyncDispose]: close };
}

function ownName(provider: Provider): string {
  return "name" in provider && typeof provider.name === "string" ? provider.name : "provider";
}

/** One call, for those who watch it. */
interface Watched {
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

  unary(method: MethodName, call: UnaryCall<never, unknown>): UnaryCall<object, unknown> {
    const plain = call as UnaryCall<object, unknown>;
    const watched: UnaryCall<object, unknown> = (request, options) =>
      this.#isWatched ? this.#observe(method, plain, request, options) : plain(request, options);
    if (method === "getProviderSchema") return async (request, options) => this.#learnt(await watched(request, options));
    if (method !== "configureProvider") return watched;
    return (request, options) => {
      this.#session.configured.addTexts(() => this.#textsOf(method, request, request));
      return watched(request, options);
    };
  }

  streaming(method: StreamingName, call: StreamingCall<never, unknown>): StreamingCall<object, unknown> {
    const plain = call as StreamingCall<object, unknown>;
    return (request, options) => (this.#isWatched ? this.#observeStream(method, plain, request, options) : plain(request, options));
  }

  get #isWatched(): boolean {
    return this.#onCall !== undefined || this.#sink !== undefined || calling.isWatched;
  }

  /** What is secret in a provider's messages is not known before its schema is. */
  #learnt(response: unknown): unknown {
    this.#schema = response as GetProviderSchemaResponse;
    return response;
  }

  async #observe(
    method: MethodName,
    call: UnaryCall<object, unknown>,
    request: object,
    options: CallOptions | undefined,
  ): Promise<unknown> {
    const watched = this.#begin(method, request);
    const counted =
      "chunks" in request ? { ...request, chunks: this.#counted(watched, request.chunks as AsyncIterable<StateChunk>) } : request;
    const answer = async (): Promise<unknown> => {
      const response = await call(counted, options);
      watched.secrets.heard(response as object);
      return response;
    };
    try {
      const log = callLog(this.#sink, watched.event, watched.secrets);
      const response = await calling.observed(watched.event, watched.secrets.hide, () => logged(log, requestWords, answer));
      this.#end(watched, outcomeOf(response));
      return response;
    } catch (error) {
      this.#end(watched, this.#failure(watched, error));
      throw error;
    }
  }

  async *#observeStream(
    method: StreamingName,
    call: StreamingCall<object, unknown>,
    request: object,
    options: CallOptions | undefined,
  ): AsyncGenerator<unknown, void> {
    const watched = this.#begin(method, request);
    const log = callLog(this.#sink, watched.event, watched.secrets);
    const counts = { errors: 0, warnings: 0 };
    let items = 0;
    let outcome: CallOutcome = { outcome: "brokenOff", ...counts };
    try {
      const answers = loggedStream(log, requestWords, heardBy(watched.secrets, call(request, options)));
      for await (const item of calling.observedStream(watched.event, watched.secrets.hide, answers)) {
        const { errors, warnings } = outcomeOf(item);
        counts.errors += errors;
        counts.warnings += warnings;
        items++;
        const progress = streamProgressOf(item, items, watched.secrets.hide);
        if (progress !== undefined) this.#tell({ kind: "streaming", call: watched.call, ...progress });
        outcome = { outcome: "brokenOff", ...counts };
        yield item;
      }
      outcome = { outcome: counts.errors > 0 ? "refused" : "answered", ...counts };
    } catch (error) {
      outcome = this.#failure(watched, error);
      throw error;
    } finally {
      this.#end(watched, outcome);
    }
  }

  #begin(method: MethodName, request: object): Watched {
    const { rpc, about } = callSubject(method, request);
    const [typeName] = Object.values(about);
    const requestId = randomUUID();
    const call: ObservedCall = { requestId, provider: this.#name, rpc, typeName };
    const secrets = new CallSecrets(this.#session.configured, request, (message) => this.#textsOf(method, request, message));
    this.#session.begin(secrets);
    this.#tell({ kind: "calling", call });
    return { event: { rpc, provider: this.#name, requestId, about }, call, secrets, start: performance.now() };
  }

  #end({ call, secrets, start }: Watched, outcome: CallOutcome): void {
    this.#session.end(secrets);
    this.#tell({ kind: "called", call, durationMs: performance.now() - start, ...outcome });
  }

  #failure({ secrets }: Watched, error: unknown): CallOutcome {
    const message = secrets.hide(error instanceof Error ? error.message : String(error));
    return { outcome: "failed", errors: 0, warnings: 0, message };
  }

  async *#counted({ call }: Watched, chunks: AsyncIterable<StateChunk>): AsyncGenerator<StateChunk, void> {
    let items = 0;
    let bytes = 0;
    for await (const chunk of chunks) {
      items++;
      bytes += chunk.bytes.length;
      this.#tell({ kind: "streaming", call, items, bytes, totalBytes: chunk.totalLength });
      yield chunk;
    }
  }

  #textsOf(method: MethodName, request: object, message: object): Iterable<string> {
    return holdsValues(method) ? secretTexts(message, secretsOfCall(method, request, this.#schema)) : [];
  }

  #tell(event: CallProgress): void {
    tellListener(this.#onCall, event);
  }
}

async function* heardBy(secrets: CallSecrets, items: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
  for await (const item of items) {
    secrets.heard(item as object);
    yield item;
  }
}
