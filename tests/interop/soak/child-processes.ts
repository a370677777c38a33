// SPDX-License-Identifier: Apache-2.0
// Processes on Linux, which lists them in /proc.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Processes that a process has started and that still run. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Command line of a process; empty for one that has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

/** Waits until a process has ended. Returns whether it has within the time limit. */
export async function hasEnded(pid: number, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  // The command line of a process that has ended, and was not waited for yet, is empty.
  while (commandOf(pid) !== "") {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}
