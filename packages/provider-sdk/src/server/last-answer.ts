// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../definition/call-context.ts";

/** Handlers at work in this process, each of which may be told that it is at its end; they say whether they have anything to answer. */
const atWork = new Set<(reason: Error) => boolean>();

/**
 * Runs a handler that can save what it has made. When the process comes to its end before the handler does, it is not waited for any
 * longer: what it has saved is answered, beside an error, so that the host records it and nothing is lost.
 */
export async function orEnded<T>(work: () => Awaitable<T>, hasSaved: () => boolean): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: Error): boolean => {
    if (!hasSaved()) return false;
    reject(reason);
    return true;
  };
  atWork.add(end);
  try {
    return await Promise.race([work(), ended]);
  } finally {
    atWork.delete(end);
  }
}

/** Tells handlers that the process is at its end; whether any of them has something to answer yet. */
export function endHandlers(reason: Error): boolean {
  // Each of them is told, also after the first that has something.
  return [...atWork].map((end) => end(reason)).includes(true);
}
