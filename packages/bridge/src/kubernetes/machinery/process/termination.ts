// SPDX-License-Identifier: Apache-2.0

/** Options of {@link untilTerminated}. */
export interface TerminationSettings {
  /** Grace period of the pod after SIGTERM (`terminationGracePeriodSeconds`), in milliseconds. Default: 30,000. */
  readonly graceMs?: number;
  /** Signals that terminate the process. Default: SIGTERM and SIGINT. */
  readonly signals?: readonly NodeJS.Signals[];
}

/** The stages of the termination of a process. */
export interface Termination {
  /** Aborted when the process must start no new work. */
  readonly draining: AbortSignal;
  /** Aborted when work in flight must end, so that results can be stored before the process is killed. */
  readonly ending: AbortSignal;
}

/** Share of the grace period that is reserved for storing results after work in flight was aborted. */
const reservedShare = 0.25;

/**
 * Runs a function until it returns. After a signal, the function should drain its work. Work in flight may continue for three quarters of the grace
 * period; then it is aborted, and the remaining time is for storing its results. A second signal aborts it immediately.
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
    timer = setTimeout(() => ending.abort(new Error("the grace period is nearly over")), graceMs * (1 - reservedShare));
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await run({ draining: draining.signal, ending: ending.signal });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, onSignal);
  }
}
