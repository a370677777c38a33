// SPDX-License-Identifier: Apache-2.0
import { TurnoverSet } from "@tenon/protocol/turnover";
import type { Awaitable } from "../../definition/call-context.ts";

/** A function for each running handler of this process. It ends the wait for the handler; returns whether the handler has saved state. */
const runningHandlers = new TurnoverSet<(reason: Error) => boolean>();

/**
 * Runs a handler that can save partial state. When the process ends before the handler does, the server no longer waits for it: the
 * response contains the saved state and an error, so that the host records the resource.
 */
export async function untilProcessEnds<T>(work: () => Awaitable<T>, hasSaved: () => boolean): Promise<T> {
  let ended: PromiseWithResolvers<never> | undefined;
  const end = (reason: Error): boolean => {
    if (!hasSaved()) return false;
    (ended ??= Promise.withResolvers<never>()).reject(reason);
    return true;
  };
  runningHandlers.add(end);
  try {
    const result = work();
    // A handler that returns no promise has ended already.
    if (ended === undefined && !isThenable(result)) return result;
    return await Promise.race([result, (ended ??= Promise.withResolvers<never>()).promise]);
  } finally {
    runningHandlers.delete(end);
  }
}

function isThenable(result: unknown): boolean {
  return typeof (result as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** Ends the wait for running handlers that have saved state, so that their responses are sent. Returns whether there is such a handler. */
export function endHandlers(reason: Error): boolean {
  // `map` instead of `some`: every handler must be ended.
  return [...runningHandlers].map((end) => end(reason)).includes(true);
}
