// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PluginHostError } from "../../error.ts";
import { isAlive } from "../../process/process-group.ts";

/** Time limit for waiting for the lock, in milliseconds. Reading and writing one small file takes less. */
const lockTimeoutMs = 10_000;

/** Age from which a lock file without a process id is stale, in milliseconds. Writing the id takes less. */
const incompleteLockMs = 2_000;

/**
 * Runs `work` while no other installation, in this process or another, changes a file. The lock is a file next to it with the process id of
 * its holder. A stale lock is taken over: that of a process that no longer runs, or an old one without a process id, which a crash left.
 *
 * @throws PluginHostError `LOCKED` if another process holds the lock for ten seconds
 */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const lock = `${path}.tenon-lock`;
  const deadline = performance.now() + lockTimeoutMs;
  while (!(await acquire(lock))) {
    signal?.throwIfAborted();
    const content = await readFile(lock, "utf8").catch(() => undefined);
    if (content !== undefined && isStale(lock, content) && removeStale(lock, content)) continue;
    if (performance.now() > deadline) {
      const message = `${path} is being changed by process ${content || "unknown"}; if that is not an installation, remove ${lock}`;
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

/** Creates the lock file together with its content, so that no other process finds it empty. */
async function acquire(lock: string): Promise<boolean> {
  const own = `${lock}.${randomUUID()}`;
  try {
    await writeFile(own, String(process.pid), { flag: "wx" });
    await link(own, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // Some file systems have no hard links.
    if (codeOf(error) === "EPERM" || codeOf(error) === "ENOTSUP" || codeOf(error) === "ENOSYS") return await create(lock);
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function create(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function isStale(lock: string, content: string): boolean {
  const holder = Number(content);
  return Number.isInteger(holder) && holder > 0 ? !isAlive(holder) : isOlderThan(lock, incompleteLockMs);
}

/**
 * Removes a stale lock file. Only one process may do so at a time, and only if the content is still the stale one: otherwise a slow process
 * would remove the lock of the next holder.
 */
function removeStale(lock: string, content: string): boolean {
  const removing = `${lock}.stale`;
  try {
    writeFileSync(removing, "", { flag: "wx" });
  } catch {
    // The removal takes microseconds: an older file was left by a crash.
    if (isOlderThan(removing, incompleteLockMs)) rmSync(removing, { force: true });
    return false;
  }
  try {
    if (readFileSync(lock, "utf8") === content) rmSync(lock);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(removing, { force: true });
  }
}

function isOlderThan(path: string, ms: number): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > ms;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
