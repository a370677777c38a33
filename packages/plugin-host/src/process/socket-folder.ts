// SPDX-License-Identifier: Apache-2.0
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PluginHostError } from "../error.ts";

/** Maximum length of a socket's path in bytes: 103 on macOS, 107 on Linux. Longer paths are truncated silently. */
const longestSocketPath = 103;

/** Length of the longest file name of a go-plugin socket, with its separator: `/plugin` and a 32-bit number. */
const longestSocketName = 17;

/**
 * Creates a folder for one provider's socket that no other user may enter; undefined on Windows, where plugins listen on TCP.
 *
 * @throws PluginHostError `SPAWN_FAILED` if the folder cannot be created
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
    const message = `cannot create a folder for the provider's socket in ${parent}: ${(cause as Error).message}; set TMPDIR to a writable folder`;
    throw new PluginHostError("SPAWN_FAILED", message, { cause });
  }
}

/** Removes the folder, with the socket of a killed provider. Synchronous, because it also runs when this process exits. */
export function removeSocketFolder(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A leftover temporary folder is no reason to fail.
  }
}

/** Resolution of file system timestamps, in milliseconds: a new file may seem this much older. */
const clockTick = 50;

/**
 * Removes the socket that a provider created in the temporary folder because it ignores the variable for the socket folder. A provider may
 * report any path, so a file that is not a socket, is in another folder, or is older than the provider is not removed.
 *
 * @param startedAt - start time of the provider, in milliseconds since 1970
 */
export function removeStraySocket(path: string, startedAt: number, temporary: string = tmpdir()): void {
  if (dirname(path) !== resolve(temporary)) return;
  try {
    const found = lstatSync(path);
    if (found.isSocket() && found.ctimeMs > startedAt - clockTick) rmSync(path);
  } catch {
    // The socket has been removed already.
  }
}
