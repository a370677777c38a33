// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../src/process/process-group.ts";

/** Whether a process ends within the time. A zombie counts as ended: its parent may never collect its exit code. */
export async function ends(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

/** Whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
