// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../definition/call-context.ts";
import type { Log } from "../logger.ts";
import { sleep, waits, type BackOff } from "./back-off.ts";

/** What is tried again, and how often. */
export interface RetryOptions {
  /** Whether another attempt may help. Everything else is thrown at once. */
  readonly when: (error: unknown) => boolean;
  /** All attempts together, the first one included. Default 5. */
  readonly attempts?: number;
  /** The handler's own; no attempt begins after it has aborted. */
  readonly signal?: AbortSignal;
  readonly backOff?: BackOff;
  /** What the remote system itself asks to wait, in milliseconds; undefined: the back-off decides. See {@link retryAfter}. */
  readonly waitFor?: (error: unknown) => number | undefined;
  /** Told of every attempt that failed and is followed by another. */
  readonly log?: Log;
}

/**
 * Does something, and does it again where it failed in a way that may pass.
 *
 * @throws what the last attempt threw; the signal's reason.
 *
 * @example
 * let attempts = 0;
 * const flaky = () => (++attempts < 3 ? Promise.reject(new Error("busy")) : attempts);
 * await retry(flaky, { when: (error) => error.message === "busy", backOff: { first: 1 } });
 * // => 3
 */
export async function retry<T>(work: (attempt: number) => Awaitable<T>, options: RetryOptions): Promise<T> {
  const { when, attempts = 5, signal, backOff, waitFor, log } = options;
  const pause = waits(backOff);
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= attempts || !when(error)) throw error;
      const wait = waitFor?.(error) ?? pause.next().value;
      log?.debug("An attempt failed, and is made again", { attempt, wait_ms: Math.round(wait), error: String(error) });
      await sleep(wait, signal);
    }
  }
}

/**
 * What a `Retry-After` header asks to wait, in milliseconds: seconds, or a date. Undefined where there is none, or it is neither.
 *
 * @see RFC 9110, 10.2.3
 */
export function retryAfter(headers: Headers, now: Date = new Date()): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
