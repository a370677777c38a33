// SPDX-License-Identifier: Apache-2.0

/** Settings of {@link untilTerminated}. */
export interface TerminationSettings {
  /** Time that the pod has after SIGTERM, in milliseconds: its `terminationGracePeriodSeconds`. Default: 30,000. */
  readonly graceMs?: number;
  /** Signals that end the process. Default: SIGTERM and SIGINT. */
  readonly signals?: readonly NodeJS.Signals[];
}

/** How a process ends. */
export interface Termination {
  /** Aborted when the process should begin no new work. */
  readonly draining: AbortSignal;
  /** Aborted when work in flight must end, so that what is known can be stored before the process is killed. */
  readonly ending: AbortSignal;
}

/** Part of the grace that is kept for storing results, after work in flight was aborted. */
const reservedShare = 0.25;

/**
 * Runs a function until it returns. After a signal it should drain: work in flight may end by itself for three quarters of the grace, is
 * aborted then, and has the rest to store its results. A second signal aborts at once.
 */
export async function untilTerminated<Result>(
  run: (termination: Termination) => Promise<Result>,
  { graceMs = 30_000, signals = ["SIGTERM", "SIGINT"] }: TerminationSettings = {},
): Promise<Result> {
  const draining = new AbortController();
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (draining.signal.aborted) {
      ending.abort(new Error(`received ${signal} twice`));
      return;
    }
    draining.abort(new Error(`received ${signal}`));
    timer = setTimeout(() => ending.abort(new Error("the time to end has passed")), graceMs * (1 - reservedShare));
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await run({ draining: draining.signal, ending: ending.signal });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, onSignal);
  }
}
