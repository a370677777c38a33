// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../definition/call-context.ts";
import type { Log } from "../logger.ts";
import { sleep, waits, type BackOff } from "./back-off.ts";

/** Options of `retry`. */
export interface RetryOptions {
  /** Whether to retry after this error. Other errors are thrown immediately. */
  readonly when: (error: unknown) => boolean;
  /** Maximum number of attempts, including the first. Default: 5. */
  readonly attempts?: number;
  /** The handler's signal. No attempt starts after it has aborted. */
  readonly signal?: AbortSignal;
  /** Waits between attempts. */
  readonly backOff?: BackOff;
  /** Returns the wait that the remote system requested, in milliseconds, or undefined to use the back-off. See {@link retryAfter}. */
  readonly waitFor?: (error: unknown) => number | undefined;
  /** Log for failed attempts that are retried. */
  readonly log?: Log;
}

/**
 * Runs a function, and retries it after errors that `when` accepts.
 *
 * @throws the error of the last attempt; the signal's reason.
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
      log?.debug("An attempt failed and is retried", { attempt, wait_ms: Math.round(wait), error: String(error) });
      await sleep(wait, signal);
    }
  }
}

/**
 * Returns the wait that a `Retry-After` header requests, in milliseconds. The header contains seconds or a date. Returns undefined if
 * the header is absent or invalid.
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
