// SPDX-License-Identifier: Apache-2.0
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
