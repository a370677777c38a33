// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../definition/call-context.ts";

/** Runs one function at a time for each key, in call order. The cores call handlers of a provider concurrently. */
export interface KeyedMutex {
  /**
   * Runs `work` when no other work runs for `key`.
   *
   * Not reentrant: `work` that calls `run` with its own key never resolves.
   *
   * @throws the error of `work`; the signal's reason, if it aborts before `work` starts.
   */
  readonly run: <T>(key: string, work: () => Awaitable<T>, signal?: AbortSignal) => Promise<T>;
}

/** Creates a mutex. Create it once, together with the client. Unused keys take no memory. */
export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();
  return {
    run: async (key, work, signal) => {
      const before = tails.get(key);
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      // A waiter that aborts still passes its turn on, but only after the work before it has finished.
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
