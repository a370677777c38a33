// SPDX-License-Identifier: Apache-2.0
import { TestingError } from "../error.ts";
import { standardPrefix } from "../names/random-names.ts";
import { orderedSweepers, type Sweeper } from "./sweeper.ts";

/** Options of `runSweepers`. */
export interface SweepOptions {
  /** The regions, which are swept one after the other. At least one. */
  readonly regions: readonly string[];
  /** Parts of the names of the sweepers that run, with their dependencies. Default: all. */
  readonly run?: readonly string[];
  /** Whether the other sweepers run after one has failed. Default: false. */
  readonly allowFailures?: boolean;
  /** The prefix of the names of tests. Default: that of `randomNames`. */
  readonly prefix?: string;
  readonly signal?: AbortSignal;
  /** Called with each line of the report of a sweeper. */
  readonly onLog?: (region: string, sweeper: string, line: string) => void;
}

/** How a sweeper ended in a region. `not run`: after a failure or an interruption. */
export type SweepResult =
  | { readonly region: string; readonly sweeper: string; readonly status: "swept" | "not run" }
  | { readonly region: string; readonly sweeper: string; readonly status: "failed"; readonly error: unknown };

/**
 * Runs sweepers, in each region in the order of their dependencies. It deletes real objects.
 *
 * @returns the result of each sweeper in each region.
 * @throws TestingError `OPTIONS_INVALID` without a region, or for a filter that selects nothing; `SWEEPERS_INVALID` for sweepers that contradict each
 *   other. Then nothing was deleted.
 */
export async function runSweepers(sweepers: readonly Sweeper[], options: SweepOptions): Promise<readonly SweepResult[]> {
  const { regions, run = [], allowFailures = false, prefix = standardPrefix, signal = new AbortController().signal, onLog } = options;
  if (regions.length === 0) throw new TestingError("OPTIONS_INVALID", "no region to sweep: name at least one");
  if (prefix === "")
    throw new TestingError("OPTIONS_INVALID", "the prefix of tests must not be empty: every object would be one of a test");
  const ordered = orderedSweepers(sweepers, run);
  const results: SweepResult[] = [];
  let isStopped = false;
  for (const region of regions) {
    for (const { name, sweep } of ordered) {
      const about = { region, sweeper: name };
      if (isStopped || signal.aborted) {
        results.push({ ...about, status: "not run" });
        continue;
      }
      try {
        await sweep({ region, signal, isTestName: (text) => text.startsWith(prefix), log: (line) => onLog?.(region, name, line) });
        results.push({ ...about, status: "swept" });
      } catch (error) {
        results.push({ ...about, status: "failed", error });
        isStopped = !allowFailures;
      }
    }
  }
  return results;
}
