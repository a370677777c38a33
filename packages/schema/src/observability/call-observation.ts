// SPDX-License-Identifier: Apache-2.0
import { AsyncResource } from "node:async_hooks";
import { tracingChannel, type TracingChannel } from "node:diagnostics_channel";
import type { Diagnostic } from "../diagnostic.ts";
import { inSpan, isTraced, type SpanOptions } from "./spans.ts";

/** What subscribers of a channel of calls get with each event; `result` and `error` are set as `tracingChannel` sets them. */
export interface CallEvent {
  /** As protocol 6 names it. */
  readonly rpc: string;
  readonly provider: string;
  readonly requestId: string;
  /** What it is about: `tf_resource_type` and its neighbours. */
  readonly about: Readonly<Record<string, string>>;
}

/** At which end of the wire calls are watched. */
export interface ObservationSite {
  /** Of `node:diagnostics_channel`; its events are `tracing:<channel>:start` and so on. */
  readonly channel: string;
  /** The one who answers is the server. */
  readonly kind: "server" | "client";
  /** What OpenTelemetry calls the instrumentation: the package's name. */
  readonly tracer: string;
}

/** Lets those who watch know of calls: subscribers of a channel, and OpenTelemetry. */
export class CallObservation {
  readonly #site: ObservationSite;
  readonly #channel: TracingChannel<unknown, CallEvent>;

  constructor(site: ObservationSite) {
    this.#site = site;
    this.#channel = tracingChannel<unknown, CallEvent>(site.channel);
  }

  /** Whether anybody would notice a call. Costs a look at two properties. */
  get isWatched(): boolean {
    return isTraced() || this.#channel.hasSubscribers;
  }

  /** Waits for the answer to a call, and tells of it. Nobody there: nothing is done. `hide` takes out of messages what is secret. */
  observed<T>(event: CallEvent, hide: (text: string) => string, answer: () => Promise<T>): Promise<T> {
    const spanned = isTraced() ? () => inSpan(spanName(event), this.#spanOptions(event, hide), answer) : answer;
    return this.#channel.hasSubscribers ? this.#channel.tracePromise(spanned, event) : spanned();
  }

  /**
   * The same for a call that is answered with a stream: it has ended when the last event has been read, or nobody reads on. Subscribers
   * get no `result`.
   */
  async *observedStream<T>(event: CallEvent, hide: (text: string) => string, events: AsyncIterable<T>): AsyncIterable<T> {
    if (!this.isWatched) {
      yield* events;
      return;
    }
    const ended = Promise.withResolvers<{ readonly diagnostics: readonly Diagnostic[] }>();
    const diagnostics: Diagnostic[] = [];
    const begun = Promise.withResolvers<StreamReader<T>>();
    const iterator = events[Symbol.asyncIterator]();
    // What is read is read in the context of the span, so that spans of handlers are below it.
    const observation = this.observed(event, hide, () => {
      begun.resolve(AsyncResource.bind(() => iterator.next()));
      return ended.promise;
    });
    try {
      const read = await begun.promise;
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

/** Errors are answers too. */
function failureOf(response: unknown): string | undefined {
  const { diagnostics = [], error } = response as {
    readonly diagnostics?: readonly Diagnostic[];
    readonly error?: { readonly text: string } | string;
  };
  const first = diagnostics.find(({ severity }) => severity === "error");
  if (first !== undefined) return first.detail === "" ? first.summary : `${first.summary}: ${first.detail}`;
  return typeof error === "object" ? error.text : undefined;
}
