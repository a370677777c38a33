// SPDX-License-Identifier: Apache-2.0
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PluginHostError } from "../../error.ts";
import { isAlive } from "../../orphans/process-group.ts";

/** Longer than anybody needs to read and write one small file. */
const patienceMs = 10_000;

/**
 * Lets one installation at a time change a file, of this process or another: the others wait. Who holds it has its process id in a
 * file beside it; that of a process which is gone counts for nothing.
 *
 * @throws PluginHostError `LOCKED` where somebody holds it for ten seconds.
 */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${path}.tenon-lock`;
  const deadline = performance.now() + patienceMs;
  while (!(await take(lock))) {
    const holder = Number(await readFile(lock, "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder) && removeStale(lock, holder)) continue;
    if (performance.now() > deadline) {
      const message = `${path} is being changed by process ${holder}; if that is no installation, remove ${lock}`;
      throw new PluginHostError("LOCKED", message);
    }
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the file of a process that is gone. Only one may do so at a time, and only after another look: who is late would remove the
 * file of whoever came after.
 */
function removeStale(lock: string, holder: number): boolean {
  const removing = `${lock}.stale`;
  try {
    writeFileSync(removing, "", { flag: "wx" });
  } catch {
    return false;
  }
  try {
    if (readFileSync(lock, "utf8") === String(holder)) rmSync(lock);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(removing, { force: true });
  }
}
