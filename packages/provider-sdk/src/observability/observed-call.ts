// SPDX-License-Identifier: Apache-2.0
import { AsyncResource } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import type { Diagnostic } from "@tenon/schema";
import { inSpan, isTraced } from "./spans.ts";

/** What subscribers of `tenon:provider:call` get with each event; `result` and `error` are set as `tracingChannel` sets them. */
export interface CallEvent {
  /** As protocol 6 names it. */
  readonly rpc: string;
  readonly provider: string;
  readonly requestId: string;
  /** What it is about: `tf_resource_type` and its neighbours. */
  readonly about: Readonly<Record<string, string>>;
}

const channel = tracingChannel<unknown, CallEvent>("tenon:provider:call");

/** Answers a call, and lets those who watch know: subscribers of the channel, and OpenTelemetry. Nobody there: nothing is done. */
export function observed<T>(event: CallEvent, hide: (text: string) => string, answer: () => Promise<T>): Promise<T> {
  const spanned = isTraced() ? () => inSpan(spanName(event), spanOptions(event, hide), answer) : answer;
  return channel.hasSubscribers ? channel.tracePromise(spanned, event) : spanned();
}

/**
 * The same for a call that is answered with a stream: it has ended when the last event has been read, or nobody reads on. Subscribers
 * get no `result`.
 */
export async function* observedStream<T>(event: CallEvent, hide: (text: string) => string, events: AsyncIterable<T>): AsyncIterable<T> {
  if (!isTraced() && !channel.hasSubscribers) {
    yield* events;
    return;
  }
  const ended = Promise.withResolvers<{ readonly diagnostics: readonly Diagnostic[] }>();
  const diagnostics: Diagnostic[] = [];
  const begun = Promise.withResolvers<StreamReader<T>>();
  const iterator = events[Symbol.asyncIterator]();
  // What is read is read in the context of the span, so that spans of handlers are below it.
  const observation = observed(event, hide, () => {
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

type StreamReader<T> = () => Promise<IteratorResult<T>>;

function spanName({ rpc, about }: CallEvent): string {
  const [subject] = Object.values(about);
  return subject === undefined ? rpc : `${rpc} ${subject}`;
}

function spanOptions({ rpc, provider, requestId, about }: CallEvent, hide: (text: string) => string): Parameters<typeof inSpan>[1] {
  const attributes = { "rpc.system": "grpc", "rpc.method": rpc, tf_provider: provider, tf_req_id: requestId, ...about };
  return { isServer: true, hide, attributes, failureOf };
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
