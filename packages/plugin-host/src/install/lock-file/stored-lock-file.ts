// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { PluginHostError } from "../../error.ts";
import type { ProviderLocks } from "./lock-file.ts";

/** Reads a lock file; no entries if there is none. @throws PluginHostError `INVALID_LOCK_FILE` */
export async function readStoredLocks(path: string): Promise<ProviderLocks> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new PluginHostError("INVALID_LOCK_FILE", `${path} cannot be read: ${String(cause)}`, { cause });
  });
  if (text === undefined) return new Map();
  // The parser is needed only here, and takes time to load.
  const { readLockFile } = await import("./read-lock-file.ts");
  return readLockFile(text, path);
}

/** Writes a file under another name and renames it, so that no reader finds it incomplete. */
export async function storeLockFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
