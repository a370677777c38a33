// SPDX-License-Identifier: Apache-2.0
// Processes on Linux, which lists them in /proc.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Processes that a process has started and that still run. */
export function childrenOf(pid: number): readonly number[] {
  return unlessEnded(() => readdirSync(`/proc/${pid}/task`), []).flatMap((task) =>
    unlessEnded(() => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8"), "")
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/** Reads from /proc what a process or one of its threads has; returns `otherwise` if it has ended meanwhile. */
function unlessEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
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
