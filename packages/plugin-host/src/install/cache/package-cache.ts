// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { folderName } from "../address/hostname.ts";
import { formatPlatform, type Platform } from "../address/platform.ts";
import type { SourceAddress } from "../address/source-address.ts";
import { packageExecutable } from "../package/package-executable.ts";
import { hashPackageFolder, type PackageHash } from "../package/package-hash.ts";
import { unpackPackage } from "../package/unpack.ts";
import { compareVersions, formatVersion, tryParseVersion, type Version } from "../version/version.ts";
import { type InstallRecord, InstallRecords } from "./install-records.ts";
import { userCacheFolder } from "./user-cache-folder.ts";

/** A package in the cache. */
export interface CachedPackage {
  readonly folder: string;
  /** Current hash of the folder's content. */
  readonly hash: PackageHash;
  /** Absent for a package that a CLI or another user installed into the cache. */
  readonly record: InstallRecord | undefined;
}

/** Settings of a {@link PackageCache}. */
export interface PackageCacheSettings {
  /** The folder of the packages, which CLIs and other users may share. */
  readonly root: string;
  /** The folder of the install records, which only this user may write to. */
  readonly records: string;
  readonly platform: Platform;
  readonly signal: AbortSignal | undefined;
}

/**
 * Unpacked packages, in the layout of the CLIs: `HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/`. Any number of processes may install the same
 * package at the same time: each unpacks into a separate folder, which is then renamed.
 */
export class PackageCache {
  readonly #root: string;
  readonly #platform: Platform;
  readonly #records: InstallRecords;
  readonly #signal: AbortSignal | undefined;

  constructor({ root, records, platform, signal }: PackageCacheSettings) {
    this.#root = root;
    this.#platform = platform;
    this.#records = new InstallRecords(records);
    this.#signal = signal;
  }

  /** The versions of a provider in the cache, newest first. */
  async versions(address: SourceAddress): Promise<readonly Version[]> {
    const names = await readdir(this.#folderOf(address)).catch(() => []);
    const found: Version[] = [];
    for (const name of names) {
      const version = tryParseVersion(name);
      if (version && (await isFolder(this.#packageFolder(address, version)))) found.push(version);
    }
    return found.sort((left, right) => compareVersions(right, left));
  }

  /**
   * Returns the package of a version, if the cache has it with one of the hashes; without hashes, if it still has the hash of its record.
   * Undefined for a package that cannot be read.
   */
  async find(address: SourceAddress, version: Version, hashes: readonly PackageHash[]): Promise<CachedPackage | undefined> {
    const folder = this.#packageFolder(address, version);
    if (!(await isFolder(folder))) return undefined;
    const record = await this.#records.read(folder);
    const accepted = hashes.length > 0 ? hashes : record ? [record.hash] : [];
    if (accepted.length === 0) return undefined;
    const hash = await this.#hashOf(folder);
    if (hash === undefined || !accepted.includes(hash)) return undefined;
    return { folder, hash, record: record?.hash === hash ? record : undefined };
  }

  /**
   * Unpacks a verified zip file into the cache and writes its install record.
   *
   * @param temporary - a folder of {@link temporaryFolder}; the caller removes it
   * @param onWarning - called with the reason if the record cannot be written
   * @throws PluginHostError `PACKAGE_MALFORMED`, also for a package without an executable; errors of the file system
   */
  async install(
    address: SourceAddress,
    version: Version,
    {
      zip,
      temporary,
      record,
      onWarning,
    }: {
      readonly zip: string;
      readonly temporary: string;
      readonly record: InstallRecord;
      readonly onWarning: (message: string) => void;
    },
  ): Promise<string> {
    const folder = this.#packageFolder(address, version);
    if (!(await this.#isInstalled(folder, record.hash))) {
      const unpacked = join(temporary, "package");
      await unpackPackage(zip, unpacked, this.#signal ? { signal: this.#signal } : {});
      await packageExecutable(unpacked, address.type);
      await this.#moveIntoCache(unpacked, folder, record.hash);
    }
    const problem = await this.#records.write(folder, record);
    if (problem !== undefined) onWarning(`${folder} is installed, but has to be downloaded again next time: ${problem}`);
    return folder;
  }

  /** Creates a folder for downloads, on the file system of the cache. */
  async temporaryFolder(): Promise<string> {
    const folder = join(this.#root, `.download-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  async #moveIntoCache(unpacked: string, folder: string, hash: PackageHash): Promise<void> {
    for (;;) {
      await mkdir(dirname(folder), { recursive: true });
      try {
        await rename(unpacked, folder);
        return;
      } catch (error) {
        if (!(await isFolder(folder))) throw error;
      }
      if (await this.#isInstalled(folder, hash)) return;
      // The folder holds another or an incomplete package. It is renamed as a whole, so that no reader finds a mixture of both.
      const old = `${unpacked}-old`;
      await rename(folder, old).catch(() => {});
      await rm(old, { recursive: true, force: true });
    }
  }

  /** Whether the folder holds the package. Waits for a new folder with another hash, because a CLI may still be unpacking the package. */
  async #isInstalled(folder: string, hash: PackageHash): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const age = await stat(folder).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => undefined,
      );
      if (age === undefined) return false;
      if ((await this.#hashOf(folder)) === hash) return true;
      if (age > 10_000 || attempt >= 25) return false;
      await sleep(200, undefined, this.#signal ? { signal: this.#signal } : {});
    }
  }

  /** Returns the hash of a folder; undefined if it cannot be read, for example because another process removes files. */
  async #hashOf(folder: string): Promise<PackageHash | undefined> {
    try {
      return await hashPackageFolder(folder, this.#signal ? { signal: this.#signal } : {});
    } catch {
      this.#signal?.throwIfAborted();
      return undefined;
    }
  }

  #folderOf({ hostname, namespace, type }: SourceAddress): string {
    return join(this.#root, folderName(hostname), namespace, type);
  }

  #packageFolder(address: SourceAddress, version: Version): string {
    return join(this.#folderOf(address), formatVersion(version), formatPlatform(this.#platform));
  }
}

/** The default folder of the packages: `$XDG_CACHE_HOME/tenon/providers`. */
export function defaultCacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return userCacheFolder("providers", environment);
}

/** The folder of the install records: `$XDG_CACHE_HOME/tenon/install-records`. It does not depend on the folder of the packages. */
export function recordFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return userCacheFolder("install-records", environment);
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
