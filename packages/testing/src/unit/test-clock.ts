// SPDX-License-Identifier: Apache-2.0

/** A clock that a test moves. Pass it to the client of a provider in place of the clock of the system. */
export interface TestClock {
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves when the clock has moved by this time. Rejects with the reason of the signal if it is aborted earlier. */
  readonly wait: (milliseconds: number, options?: { readonly signal?: AbortSignal }) => Promise<void>;
  /** Moves the clock. Waits end in the order of their times; at the end of each, the clock shows its time. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Number of waits that have not ended. */
  readonly waiting: number;
  /** Resolves when a wait has begun: immediately if one has. */
  readonly untilWaiting: () => Promise<void>;
}

interface Wait {
  /** The time of its end, in milliseconds since 1970. */
  readonly endTime: number;
  readonly end: () => void;
}

/**
 * Creates a clock that shows the same time until a test moves it.
 *
 * @param start The first time. Default: 2030-01-01T00:00:00Z.
 *
 * @example
 * const clock = testClock();
 * const created = notes.create({ title: "Bread" }); // its handler waits a minute with clock.wait(60_000)
 * await clock.untilWaiting();
 * await clock.advance(60_000);
 * await created;
 */
export function testClock(start: Date = new Date("2030-01-01T00:00:00Z")): TestClock {
  let time = start.getTime();
  const waits = new Set<Wait>();
  const listeners: (() => void)[] = [];
  return {
    now: () => time,
    get waiting() {
      return waits.size;
    },
    untilWaiting: () => (waits.size > 0 ? Promise.resolve() : new Promise((resolve) => listeners.push(resolve))),
    wait: (milliseconds, { signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const abort = (): void => {
          waits.delete(wait);
          reject(signal!.reason as Error);
        };
        const wait: Wait = {
          endTime: time + milliseconds,
          end: () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        signal?.addEventListener("abort", abort, { once: true });
        waits.add(wait);
        for (const listener of listeners.splice(0)) listener();
      }),
    advance: async (milliseconds) => {
      const target = time + milliseconds;
      for (;;) {
        const [next] = [...waits].filter(({ endTime }) => endTime <= target).toSorted((a, b) => a.endTime - b.endTime);
        if (next === undefined) break;
        time = Math.max(time, next.endTime);
        waits.delete(next);
        next.end();
        // Lets the caller of the wait continue, which may wait again.
        await new Promise((resolve) => setImmediate(resolve));
      }
      time = target;
    },
  };
}
