// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { PackageTrust } from "../cache/install-records.ts";
import type { CliFlavour } from "../cli-config/cli-config.ts";
import { formatVersion, parseVersion } from "../version/version.ts";
import { formatConstraints, meetsConstraints, type VersionConstraints } from "../version/version-constraints.ts";
import { withFileLock } from "./file-lock.ts";
import { formatLockFile, type ProviderLock } from "./lock-file.ts";
import { readStoredLocks, storeLockFile } from "./stored-lock-file.ts";

/** Options of an installation that concern the lock file. */
export interface LockSettings {
  /** The CLI whose configuration files, default registry and signature policy apply. Default: `opentofu`. */
  readonly flavour?: CliFlavour;
  /** Whether to look for newer versions even if the cache has one that meets the constraints. Default: false. */
  readonly upgrade?: boolean;
  /**
   * Path of a dependency lock file, `.terraform.lock.hcl`. Its version is selected unless `upgrade` is set, the package must have one
   * of its hashes, and the file is updated or created. Default: no lock file.
   */
  readonly lockFile?: string;
  /** Whether the lock file must already have the whole entry, and is never written. Default: false. */
  readonly readonlyLockFile?: boolean;
}

/** The package that a lock file entry is written for. */
export interface LockablePackage {
  /** Absent for a provider under development. */
  readonly version?: string;
  readonly trust: PackageTrust;
  /** Hashes for this platform, and for others if the source reports them. Sorted. */
  readonly hashes: readonly string[];
}

/** The entry of one provider in a lock file. */
export interface LockedProvider {
  /** The version and hashes to install; undefined if the lock file does not select one. */
  readonly selected: ProviderLock | undefined;
  /** Writes the entry of the installed package, unless the lock file has it already. */
  record(provider: LockablePackage): Promise<void>;
}

/**
 * Reads the entry of a provider from the lock file. Undefined without a lock file.
 *
 * @throws PluginHostError `INVALID_LOCK_FILE`; `LOCKED` if the locked version does not meet the constraints
 */
export async function openLock(
  address: SourceAddress,
  constraints: VersionConstraints,
  { lockFile, readonlyLockFile = false, upgrade = false, flavour = "opentofu" }: LockSettings,
  signal?: AbortSignal,
): Promise<LockedProvider | undefined> {
  if (lockFile === undefined) return undefined;
  const name = formatAddress(address);
  const before = await readStoredLocks(lockFile);
  const entry = before.get(name);
  const selected = upgrade ? undefined : entry;
  if (selected && !meetsConstraints(selected.version, constraints)) {
    const message =
      `${lockFile} has ${name} ${formatVersion(selected.version)}, which does not meet ${JSON.stringify(formatConstraints(constraints))}; ` +
      "set upgrade to allow another version";
    throw new PluginHostError("LOCKED", message);
  }
  const record = async ({ version = "", hashes, trust }: LockablePackage): Promise<void> => {
    const isSame = entry !== undefined && formatVersion(entry.version) === version;
    // Terraform records no checksums that a mirror reports, only the hash that it computes.
    const own = flavour === "terraform" && trust === "checksum" ? hashes.filter((hash) => hash.startsWith("h1:")) : hashes;
    const after = { address, version: parseVersion(version), constraints, hashes: [...(isSame ? entry.hashes : []), ...own] };
    const update = async (): Promise<void> => {
      // Another installation may have written its own entry since the file was read.
      const locks = await readStoredLocks(lockFile);
      const text = formatLockFile(new Map([...locks, [name, after]]), flavour);
      if (text === formatLockFile(locks, flavour)) return;
      if (readonlyLockFile) {
        const message = `${lockFile} has no complete entry of ${name} ${version}, and readonlyLockFile forbids changing it`;
        throw new PluginHostError("LOCKED", message);
      }
      await storeLockFile(lockFile, text);
    };
    // A read-only lock file may be in a folder where no lock can be created.
    await (readonlyLockFile ? update() : withFileLock(lockFile, update, signal));
  };
  return { selected, record };
}
