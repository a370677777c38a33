// SPDX-License-Identifier: Apache-2.0
import { isCallName, type CallName } from "@tenon/schema";
import { invalidOption, milliseconds } from "./time-limit.ts";

/** Time limits by the names of calls, in milliseconds. Other calls have no limit. */
export type CallTimeouts = { readonly [Name in CallName]?: number };

/** Settings for the calls of any provider. */
export interface CallSettings {
  /**
   * Time limit for a call in milliseconds, from when it is sent; for a stream, until each next element. The call then rejects with
   * `DEADLINE_EXCEEDED`. One limit for all calls, or limits by name: `{ readResource: 30_000 }`. Default: no limit, because an apply may
   * take hours.
   */
  readonly callTimeoutMs?: number | CallTimeouts;
  /**
   * Maximum number of unary calls in flight; further calls wait. Streams and `stop()` do not count. Default: no limit.
   */
  readonly maxConcurrentCalls?: number;
}

/** Checks the settings. @throws PluginHostError `INVALID_OPTIONS` for an invalid limit, or a limit for an unknown call. */
export function resolveCalls({ callTimeoutMs, maxConcurrentCalls }: CallSettings): CallSettings {
  if (maxConcurrentCalls !== undefined && !(maxConcurrentCalls >= 1)) throw invalidOption("maxConcurrentCalls", "must be at least 1");
  return {
    ...(callTimeoutMs === undefined ? {} : { callTimeoutMs: resolveTimeouts(callTimeoutMs) }),
    ...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls: Math.floor(maxConcurrentCalls) }),
  };
}

function resolveTimeouts(callTimeoutMs: number | CallTimeouts): number | CallTimeouts {
  if (typeof callTimeoutMs === "number") return milliseconds("callTimeoutMs", callTimeoutMs, 0);
  const limits = Object.entries(callTimeoutMs).filter(([, limit]) => limit !== undefined);
  for (const [name] of limits) {
    if (!isCallName(name)) throw invalidOption("callTimeoutMs", `names ${JSON.stringify(name)}, which is not a call of a provider`);
  }
  return Object.fromEntries(limits.map(([name, limit]) => [name, milliseconds(`callTimeoutMs.${name}`, limit, 0)]));
}
