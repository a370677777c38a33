// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from "node:timers/promises";

/** How long to wait between attempts. Each wait is shortened at random by up to a half: many that wait together come apart. */
export interface BackOff {
  /** Before the second attempt, in milliseconds. Default 500. */
  readonly first?: number;
  /** What each wait is multiplied with to get the next. Default 2. */
  readonly factor?: number;
  /** No wait is longer, in milliseconds. Default 10 000. */
  readonly longest?: number;
}

/** The waits, one after the other, in milliseconds. */
export function* waits({ first = 500, factor = 2, longest = 10_000 }: BackOff = {}): Generator<number, never> {
  let next = first;
  for (;;) {
    const wait = Math.min(next, longest);
    yield wait * (1 - Math.random() / 2);
    next = wait * factor;
  }
}

/** Sleeps. @throws the signal's own reason, as soon as it aborts. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (error) {
    // Node's own error would hide who aborted, and why.
    signal?.throwIfAborted();
    throw error;
  }
}
