// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from "node:async_hooks";
import { type Log, silentLog } from "../logger.ts";

/** The call that the running code works for. */
export interface CurrentCall {
  /** What every line of its log carries as `tf_req_id`. */
  readonly requestId: string;
  /** As protocol 6 names it: `ApplyResourceChange`. */
  readonly rpc: string;
  /** The handler's own log: with the request's id, and what is sensitive masked. */
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Version of the Terraform or OpenTofu that configured the provider; undefined before that. */
  readonly terraformVersion: string | undefined;
  /** What to tell a remote system of who asks: provider, core, Node, and what `TF_APPEND_USER_AGENT` adds. */
  readonly userAgent: string;
}

const calls = new AsyncLocalStorage<CurrentCall>();

/**
 * The call that a handler of this provider was made for, wherever the handler has got to: across awaits, timers and callbacks, in
 * a client or a library that knows nothing of the handler's arguments. Undefined outside handlers.
 */
export function currentCall(): CurrentCall | undefined {
  return calls.getStore();
}

/** The log of the {@link currentCall}; outside handlers one that writes nothing. */
export function currentLog(): Log {
  return calls.getStore()?.log ?? silentLog;
}

/** Runs a handler as part of a call. */
export function runInCall<T>(call: CurrentCall, handler: () => T): T {
  return calls.run(call, handler);
}
