// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../definition/call-context.ts";
import { SdkError } from "../error.ts";
import { sleep, waits, type BackOff } from "./back-off.ts";

/** Options of `waitUntilGone`. `S` is the union of the object's states. */
export interface GoneOptions<T, S extends string> {
  /** Reads the object from the remote system; undefined or null if it does not exist. The signal also aborts at the timeout. */
  readonly refresh: (signal: AbortSignal) => Awaitable<T | undefined | null>;
  /** Returns the state of the object. */
  readonly stateOf: (found: T) => S;
  /** States in which to keep waiting. Any other state ends the wait with an error. */
  readonly pending: readonly NoInfer<S>[];
  /** The handler's signal. */
  readonly signal?: AbortSignal;
  /** Timeout of the whole wait, in milliseconds. Default: 20 minutes. */
  readonly timeout?: number;
  /** Waits between the reads. */
  readonly backOff?: BackOff;
}

/** Options of `waitForState`. */
export interface WaitOptions<T, S extends string> extends GoneOptions<T, S> {
  /** States that end the wait successfully. */
  readonly target: readonly NoInfer<S>[];
  /** Number of consecutive reads that must see a target. Default: 1; use more for systems whose replicas lag. */
  readonly confirmations?: number;
  /** Number of consecutive reads that may find no object, because a new object may not be visible at once. Default: 20. */
  readonly missing?: number;
}

/**
 * Polls an object until it is in one of the target states, and returns it.
 *
 * @throws SdkError `WAIT_TIMED_OUT` with the last state, or the last error of `refresh`, as its cause; `UNEXPECTED_STATE` for a state
 * that is neither pending nor a target; `NOT_FOUND`; the error of `refresh`; the signal's reason.
 *
 * @example
 * const statuses = ["creating", "creating", "ready"];
 * await waitForState({
 *   refresh: () => ({ status: statuses.shift() }),
 *   stateOf: ({ status }) => String(status),
 *   pending: ["creating"],
 *   target: ["ready"],
 *   backOff: { first: 1 },
 * });
 * // => { status: "ready" }
 */
export async function waitForState<T, S extends string>(options: WaitOptions<T, S>): Promise<T> {
  const { stateOf, pending, target, confirmations = 1, missing = 20 } = options;
  let seen = 0;
  let missed = 0;
  return poll(options, `one of ${target.join(", ")}`, (found) => {
    if (found === undefined) {
      seen = 0;
      if (++missed > missing)
        throw new SdkError("NOT_FOUND", `The object was not found ${missed} times in a row while waiting for state ${target.join(" or ")}`);
      return { state: "missing" };
    }
    missed = 0;
    const state = stateOf(found);
    seen = target.includes(state) ? seen + 1 : 0;
    if (seen >= confirmations) return { result: found };
    if (seen === 0 && !pending.includes(state)) throw unexpected(state, [...pending, ...target]);
    return { state };
  });
}

/**
 * Polls an object until it does not exist any more.
 *
 * @throws SdkError `WAIT_TIMED_OUT`, `UNEXPECTED_STATE` for a state that is not pending; the error of `refresh`; the signal's reason.
 */
export async function waitUntilGone<T, S extends string>(options: GoneOptions<T, S>): Promise<void> {
  await poll(options, "gone", (found) => {
    if (found === undefined) return { result: true };
    const state = options.stateOf(found);
    if (!options.pending.includes(state)) throw unexpected(state, options.pending);
    return { state };
  });
}

function unexpected(state: string, expected: readonly string[]): SdkError {
  return new SdkError(
    "UNEXPECTED_STATE",
    `The object is in the unexpected state ${JSON.stringify(state)}; expected one of ${expected.join(", ")}`,
  );
}

type PollResult<A> = { readonly result: A } | { readonly state: string };

async function poll<T, S extends string, A>(
  { refresh, signal, timeout = 20 * 60_000, backOff }: GoneOptions<T, S>,
  wanted: string,
  evaluate: (found: T | undefined) => PollResult<A>,
): Promise<A> {
  const deadline = AbortSignal.timeout(timeout);
  const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const pause = waits(backOff);
  let state = "unknown";
  try {
    for (;;) {
      either.throwIfAborted();
      const evaluation = evaluate((await refresh(either)) ?? undefined);
      if ("result" in evaluation) return evaluation.result;
      state = evaluation.state;
      await sleep(pause.next().value, either);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (!deadline.aborted || cause instanceof SdkError) throw cause;
    throw new SdkError("WAIT_TIMED_OUT", `The object was not ${wanted} within ${timeout / 1000} seconds; its last state was ${state}`, {
      cause,
    });
  }
}
