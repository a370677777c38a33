// SPDX-License-Identifier: Apache-2.0
import type { CliFlavour } from "../cli-config/cli-config.ts";
import { withFileLock } from "./file-lock.ts";
import { formatLockFile } from "./lock-file.ts";
import { readStoredLocks, storeLockFile } from "./stored-lock-file.ts";

/** Options of {@link pruneLockFile}. */
export interface PruneOptions {
  /** The CLI that the first line of the file names. Default: `opentofu`. */
  readonly flavour?: CliFlavour;
  readonly signal?: AbortSignal;
}

/**
 * Removes the entries of providers that are no longer required from a lock file, as `tofu init` does. A file whose entries are all required
 * stays as it is.
 *
 * @param required The full addresses of the providers that the configuration and the state require.
 * @throws PluginHostError `INVALID_LOCK_FILE`; `LOCKED` if another process changes the file for ten seconds
 * @see OpenTofu internal/providercache, Installer.EnsureProviderVersions
 */
export async function pruneLockFile(
  lockFile: string,
  required: ReadonlySet<string>,
  { flavour = "opentofu", signal }: PruneOptions = {},
): Promise<void> {
  const isUnneeded = (address: string): boolean => !required.has(address);
  // Most files have no entry to remove, and may be in a folder where no lock can be created.
  if (![...(await readStoredLocks(lockFile)).keys()].some(isUnneeded)) return;
  await withFileLock(
    lockFile,
    async () => {
      const locks = await readStoredLocks(lockFile);
      const kept = new Map([...locks].filter(([address]) => !isUnneeded(address)));
      if (kept.size < locks.size) await storeLockFile(lockFile, formatLockFile(kept, flavour));
    },
    signal,
  );
}
