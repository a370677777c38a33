// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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
