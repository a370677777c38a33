// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from "node:async_hooks";
import { type Log, silentLog } from "../logger.ts";

/** The call whose handler is running. */
export interface CurrentCall {
  /** Id of the request; every log line of the call carries it as `tf_req_id`. */
  readonly requestId: string;
  /** Name of the RPC in protocol 6, for example `ApplyResourceChange`. */
  readonly rpc: string;
  /** The handler's log. Its lines carry the request's id, and sensitive values are masked. */
  readonly log: Log;
  /** The handler's signal. It aborts when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Version of Terraform or OpenTofu; undefined before the core has configured the provider. */
  readonly terraformVersion: string | undefined;
  /** Value for the `User-Agent` header: provider, core, Node and `TF_APPEND_USER_AGENT`. */
  readonly userAgent: string;
}

const calls = new AsyncLocalStorage<CurrentCall>();

/**
 * Returns the call of the running handler. It works across awaits, timers and callbacks, so a client or a library can use it without
 * the handler's arguments. Returns undefined outside handlers.
 */
export function currentCall(): CurrentCall | undefined {
  return calls.getStore();
}

/** Returns the log of the {@link currentCall}; outside handlers, a log that drops its lines. */
export function currentLog(): Log {
  return calls.getStore()?.log ?? silentLog;
}

/** Runs a handler as part of a call. */
export function runInCall<T>(call: CurrentCall, handler: () => T): T {
  return calls.getStore() === call ? handler() : calls.run(call, handler);
}
