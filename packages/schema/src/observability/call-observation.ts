// SPDX-License-Identifier: Apache-2.0
import { AsyncResource } from "node:async_hooks";
import { tracingChannel, type TracingChannel } from "node:diagnostics_channel";
import type { Diagnostic } from "../diagnostic.ts";
import { inSpan, isTraced, type SpanOptions } from "./spans.ts";

/** Message that a channel publishes for a call. `tracingChannel` adds `result` and `error`. */
export interface CallEvent {
  /** Name of the RPC in protocol 6. */
  readonly rpc: string;
  readonly provider: string;
  readonly requestId: string;
  /** Subject of the call: `tf_resource_type` or a similar field. */
  readonly about: Readonly<Record<string, string>>;
}

/** Side of the connection on which calls are observed. */
export interface ObservationSite {
  /** Name of the channel in `node:diagnostics_channel`; its events are `tracing:<channel>:start` and so on. */
  readonly channel: string;
  /** `server` in the provider, which receives calls; `client` in the host, which makes them. */
  readonly kind: "server" | "client";
  /** Name of the instrumentation in OpenTelemetry: the package's name. */
  readonly tracer: string;
}

/** Reports calls to subscribers of a channel and to OpenTelemetry. */
export class CallObservation {
  readonly #site: ObservationSite;
  readonly #channel: TracingChannel<unknown, CallEvent>;

  constructor(site: ObservationSite) {
    this.#site = site;
    this.#channel = tracingChannel<unknown, CallEvent>(site.channel);
  }

  /** Whether calls are observed: by a subscriber of the channel, or by OpenTelemetry. Costs two property reads. */
  get isWatched(): boolean {
    return isTraced() || this.#channel.hasSubscribers;
  }

  /** Reports a call, and returns its response. Without observers, it only calls `call`. `hide` masks secrets in messages. */
  observed<T>(event: CallEvent, hide: (text: string) => string, call: () => Promise<T>): Promise<T> {
    const spanned = isTraced() ? () => inSpan(spanName(event), this.#spanOptions(event, hide), call) : call;
    return this.#channel.hasSubscribers ? this.#channel.tracePromise(spanned, event) : spanned();
  }

  /**
   * Reports a call with a stream of responses. The call ends with the last event, or when the consumer stops reading. Subscribers get no
   * `result`.
   */
  async *observedStream<T>(event: CallEvent, hide: (text: string) => string, events: AsyncIterable<T>): AsyncIterable<T> {
    if (!this.isWatched) {
      yield* events;
      return;
    }
    const ended = Promise.withResolvers<{ readonly diagnostics: readonly Diagnostic[] }>();
    const diagnostics: Diagnostic[] = [];
    const reader = Promise.withResolvers<StreamReader<T>>();
    const iterator = events[Symbol.asyncIterator]();
    // Events are read in the context of the span, so that spans of handlers are its children.
    const observation = this.observed(event, hide, () => {
      reader.resolve(AsyncResource.bind(() => iterator.next()));
      return ended.promise;
    });
    try {
      const read = await reader.promise;
      for (;;) {
        const next = await read();
        if (next.done === true) return;
        diagnostics.push(...((next.value as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? []));
        yield next.value;
      }
    } catch (error) {
      ended.reject(error);
      throw error;
    } finally {
      ended.resolve({ diagnostics });
      await iterator.return?.();
      await observation.catch(() => {});
    }
  }

  #spanOptions({ rpc, provider, requestId, about }: CallEvent, hide: (text: string) => string): SpanOptions {
    const { kind, tracer } = this.#site;
    const attributes = { "rpc.system": "grpc", "rpc.method": rpc, tf_provider: provider, tf_req_id: requestId, ...about };
    return { kind, tracer, hide, attributes, failureOf };
  }
}

type StreamReader<T> = () => Promise<IteratorResult<T>>;

function spanName({ rpc, about }: CallEvent): string {
  const [subject] = Object.values(about);
  return subject === undefined ? rpc : `${rpc} ${subject}`;
}

/** Returns the text of the first error in a response; undefined for a response without an error. */
function failureOf(response: unknown): string | undefined {
  const { diagnostics = [], error } = response as {
    readonly diagnostics?: readonly Diagnostic[];
    readonly error?: { readonly text: string } | string;
  };
  const first = diagnostics.find(({ severity }) => severity === "error");
  if (first !== undefined) return first.detail === "" ? first.summary : `${first.summary}: ${first.detail}`;
  return typeof error === "object" ? error.text : undefined;
}
