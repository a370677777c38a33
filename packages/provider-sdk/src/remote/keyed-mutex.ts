// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../definition/call-context.ts";

/** One at a time for each key, in the order they came. The cores call handlers of a provider at the same time. */
export interface KeyedMutex {
  /**
   * Runs `work` when nothing else runs under `key`.
   *
   * Not reentrant: work that asks for its own key waits for itself.
   *
   * @throws what `work` throws; the signal's reason, where it aborts before the turn has come.
   */
  readonly run: <T>(key: string, work: () => Awaitable<T>, signal?: AbortSignal) => Promise<T>;
}

/** A mutex of its own: made once, where the client is. Keys that nobody uses cost nothing. */
export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();
  return {
    run: async (key, work, signal) => {
      const before = tails.get(key);
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      // Who gives up its turn still hands it on, and not before it has it.
      const tail = before === undefined ? done : before.then(() => done);
      tails.set(key, tail);
      try {
        if (before !== undefined) await orAborted(before, signal);
        signal?.throwIfAborted();
        return await work();
      } finally {
        release();
        if (tails.get(key) === tail) void tail.then(() => tails.get(key) === tail && tails.delete(key));
      }
    },
  };
}

async function orAborted(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return turn;
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([turn, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
