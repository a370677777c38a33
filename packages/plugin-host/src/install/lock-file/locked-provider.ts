// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { PluginHostError } from "../../error.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { InstalledProvider, InstallOptions } from "../install-provider.ts";
import { formatVersion, parseVersion } from "../version/version.ts";
import { formatConstraints, meetsConstraints, type VersionConstraints } from "../version/version-constraints.ts";
import { withFileLock } from "./file-lock.ts";
import { formatLockFile, type ProviderLock, type ProviderLocks } from "./lock-file.ts";

/** The entry of one provider in a lock file, before and after it is installed. */
export interface LockedProvider {
  /** What must be installed; absent where the file leaves it open. */
  readonly selected: ProviderLock | undefined;
  /** Writes down what was installed, if that is news. */
  record(provider: InstalledProvider): Promise<void>;
}

/**
 * Reads the lock file of an installation. Undefined where there is to be none.
 *
 * @throws PluginHostError `INVALID_LOCK_FILE`; `LOCKED` where the locked version does not meet the constraints.
 */
export async function openLock(
  address: SourceAddress,
  constraints: VersionConstraints,
  { lockFile, readonlyLockFile = false, upgrade = false, flavour = "opentofu" }: InstallOptions,
): Promise<LockedProvider | undefined> {
  if (lockFile === undefined) return undefined;
  const name = formatAddress(address);
  const before = await readLocks(lockFile);
  const entry = before.get(name);
  const selected = upgrade ? undefined : entry;
  if (selected && !meetsConstraints(selected.version, constraints)) {
    const message =
      `${lockFile} has ${name} ${formatVersion(selected.version)}, and ${JSON.stringify(formatConstraints(constraints))} is wanted: ` +
      "allow newer versions with upgrade";
    throw new PluginHostError("LOCKED", message);
  }
  const record = async ({ version = "", hashes, trust }: InstalledProvider): Promise<void> => {
    const isSame = entry !== undefined && formatVersion(entry.version) === version;
    // Of a mirror's check sums, Terraform records none: only what it computed of the package itself.
    const own = flavour === "terraform" && trust === "checksum" ? hashes.filter((hash) => hash.startsWith("h1:")) : hashes;
    const after = { address, version: parseVersion(version), constraints, hashes: [...(isSame ? entry.hashes : []), ...own] };
    const update = async (): Promise<void> => {
      // Another installation may have written its own entry meanwhile.
      const locks = await readLocks(lockFile);
      const text = formatLockFile(new Map([...locks, [name, after]]), flavour);
      if (text === formatLockFile(locks, flavour)) return;
      if (readonlyLockFile) {
        const message = `${lockFile} does not say all of ${name} ${version} that would have to be recorded, and may not be changed`;
        throw new PluginHostError("LOCKED", message);
      }
      const aside = `${lockFile}.${randomUUID()}`;
      await writeFile(aside, text);
      await rename(aside, lockFile);
    };
    // A file that may not be changed may lie where nothing may be made.
    await (readonlyLockFile ? update() : withFileLock(lockFile, update));
  };
  return { selected, record };
}

async function readLocks(path: string): Promise<ProviderLocks> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new PluginHostError("INVALID_LOCK_FILE", `${path} cannot be read: ${String(cause)}`, { cause });
  });
  if (text === undefined) return new Map();
  // The parser is needed here only, and is not small.
  const { readLockFile } = await import("./read-lock-file.ts");
  return readLockFile(text, path);
}
