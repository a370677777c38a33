// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../definition/call-context.ts";
import { SdkError } from "../error.ts";
import { sleep, waits, type BackOff } from "./back-off.ts";

/** What waiting for the end of something takes. `S` are the states it can be in. */
export interface GoneOptions<T, S extends string> {
  /** Asks the remote system; undefined or null: it is not there. The signal aborts with the wait's own time limit too. */
  readonly refresh: (signal: AbortSignal) => Awaitable<T | undefined | null>;
  /** The state that something found is in. */
  readonly stateOf: (found: T) => S;
  /** States on the way. Every other one ends the wait with an error. */
  readonly pending: readonly NoInfer<S>[];
  /** The handler's own. */
  readonly signal?: AbortSignal;
  /** In milliseconds, for all of it. Default: 20 minutes. */
  readonly timeout?: number;
  readonly backOff?: BackOff;
}

/** What waiting for a state takes. */
export interface WaitOptions<T, S extends string> extends GoneOptions<T, S> {
  readonly target: readonly NoInfer<S>[];
  /** The target has to be seen so many times in a row. Default 1; more for systems whose replicas lag. */
  readonly confirmations?: number;
  /** How often it may be missing in a row before that is an error: what was just made is not seen by everyone. Default 20. */
  readonly missing?: number;
}

/**
 * Asks until something is in one of the target states, and answers it.
 *
 * @throws SdkError `WAIT_TIMED_OUT` with the last state, or the last error of `refresh`, as its cause; `UNEXPECTED_STATE` for a state
 * that is neither pending nor a target; `NOT_FOUND`; whatever `refresh` throws; the signal's reason.
 *
 * @example
 * const answers = ["creating", "creating", "ready"];
 * await waitForState({
 *   refresh: () => ({ status: answers.shift() }),
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
        throw new SdkError("NOT_FOUND", `What was waited for to be ${target.join(" or ")} was not found ${missed} times in a row`);
      return { state: "missing" };
    }
    missed = 0;
    const state = stateOf(found);
    seen = target.includes(state) ? seen + 1 : 0;
    if (seen >= confirmations) return { answer: found };
    if (seen === 0 && !pending.includes(state)) throw unexpected(state, [...pending, ...target]);
    return { state };
  });
}

/**
 * Asks until it is not there any more.
 *
 * @throws SdkError `WAIT_TIMED_OUT`, `UNEXPECTED_STATE` for a state that is not pending; whatever `refresh` throws; the signal's reason.
 */
export async function waitUntilGone<T, S extends string>(options: GoneOptions<T, S>): Promise<void> {
  await poll(options, "gone", (found) => {
    if (found === undefined) return { answer: true };
    const state = options.stateOf(found);
    if (!options.pending.includes(state)) throw unexpected(state, options.pending);
    return { state };
  });
}

function unexpected(state: string, expected: readonly string[]): SdkError {
  return new SdkError(
    "UNEXPECTED_STATE",
    `It is in state ${JSON.stringify(state)}, and was expected to be in one of ${expected.join(", ")}`,
  );
}

type Judged<A> = { readonly answer: A } | { readonly state: string };

async function poll<T, S extends string, A>(
  { refresh, signal, timeout = 20 * 60_000, backOff }: GoneOptions<T, S>,
  wanted: string,
  judge: (found: T | undefined) => Judged<A>,
): Promise<A> {
  const deadline = AbortSignal.timeout(timeout);
  const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const pause = waits(backOff);
  let state = "never seen";
  try {
    for (;;) {
      either.throwIfAborted();
      const judged = judge((await refresh(either)) ?? undefined);
      if ("answer" in judged) return judged.answer;
      state = judged.state;
      await sleep(pause.next().value, either);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (!deadline.aborted || cause instanceof SdkError) throw cause;
    throw new SdkError("WAIT_TIMED_OUT", `It was not ${wanted} within ${timeout / 1000} seconds; it was last ${state}`, { cause });
  }
}
