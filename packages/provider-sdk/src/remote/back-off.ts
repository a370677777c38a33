// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from "node:timers/promises";

/** The waits between attempts. Each is shortened at random by up to half, so that concurrent clients do not retry at the same time. */
export interface BackOff {
  /** Wait before the second attempt, in milliseconds. Default: 500. */
  readonly first?: number;
  /** Factor by which each wait grows. Default: 2. */
  readonly factor?: number;
  /** Maximum wait, in milliseconds. Default: 10 000. */
  readonly longest?: number;
}

/** Yields the successive waits, in milliseconds. */
export function* waits({ first = 500, factor = 2, longest = 10_000 }: BackOff = {}): Generator<number, never> {
  let next = first;
  for (;;) {
    const wait = Math.min(next, longest);
    yield wait * (1 - Math.random() / 2);
    next = wait * factor;
  }
}

/** Waits for a time, in milliseconds. @throws the signal's reason, as soon as it aborts. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (error) {
    // Node's AbortError would hide the signal's reason.
    signal?.throwIfAborted();
    throw error;
  }
}
