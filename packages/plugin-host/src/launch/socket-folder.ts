// SPDX-License-Identifier: Apache-2.0
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PluginHostError } from "../error.ts";

/** A socket's path may have 103 bytes on macOS, 107 on Linux, and is cut off silently beyond. */
const longestSocketPath = 103;

/** Longest file name that a go-plugin plugin gives its socket, with its separator: `/plugin` and a number of 32 bits. */
const longestSocketName = 17;

/**
 * A new folder nobody else may enter, for one provider's socket; undefined on Windows, where plugins listen on TCP.
 *
 * @throws PluginHostError `SPAWN_FAILED` when none can be made there.
 */
export function createSocketFolder(temporary: string = tmpdir()): string | undefined {
  if (process.platform === "win32") return undefined;
  const prefix = "tenon-";
  const folder = resolve(temporary);
  const fits = Buffer.byteLength(join(folder, `${prefix}XXXXXX`)) + longestSocketName <= longestSocketPath;
  const parent = fits ? folder : "/tmp";
  try {
    return mkdtempSync(join(parent, prefix));
  } catch (cause) {
    const why = `no folder for the provider's socket can be made in ${parent}: ${(cause as Error).message}; set TMPDIR to a folder that can be written`;
    throw new PluginHostError("SPAWN_FAILED", why, { cause });
  }
}

/** Removes the folder and the socket that a killed provider leaves in it. Synchronous: it also runs when this process exits. */
export function removeSocketFolder(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A leftover empty folder among temporary files must not turn a good end into a bad one.
  }
}

/** How much older than now a file system may call what it has just made, in milliseconds. */
const clockTick = 50;

/**
 * Removes a socket that a provider made among temporary files, as those do that know nothing of the folder above, and did not remove
 * itself. A provider may name any path: what is no socket, lies elsewhere, or was there before the provider stays.
 *
 * @param startedAt When the provider was started, in milliseconds since 1970.
 */
export function removeStraySocket(path: string, startedAt: number, temporary: string = tmpdir()): void {
  if (dirname(path) !== resolve(temporary)) return;
  try {
    const found = lstatSync(path);
    if (found.isSocket() && found.ctimeMs > startedAt - clockTick) rmSync(path);
  } catch {
    // It is gone, which is as it should be.
  }
}
