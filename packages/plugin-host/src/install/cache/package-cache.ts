// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatPlatform, type Platform } from "../address/platform.ts";
import type { SourceAddress } from "../address/source-address.ts";
import { userCacheFolder } from "./user-cache-folder.ts";
import { hashPackageFolder, type PackageHash } from "../package/package-hash.ts";
import { unpackPackage } from "../package/unpack.ts";
import { folderName } from "../source/filesystem-mirror.ts";
import { compareVersions, formatVersion, tryParseVersion, type Version } from "../version/version.ts";

/** What was found out about a package when it was installed. It lies beside the package, never in it. */
export interface InstallRecord {
  readonly format: 1;
  /** Of the unpacked package; what is there now must still have it. */
  readonly hash: PackageHash;
  /** All that are known of this version, for lock files. */
  readonly hashes: readonly PackageHash[];
  readonly source: string;
  readonly signedBy: readonly string[];
  readonly trust: PackageTrust;
}

/**
 * Why a package is believed to be the right one.
 *
 * - `signed`: its check sums are signed by a key its registry lists.
 * - `registry`: its registry, or a mirror that is trusted for it, vouches for its check sum, and nobody signed.
 * - `checksum`: it has the check sum a mirror says.
 * - `none`: nobody says anything of it, as in folders of one's own.
 * - `development`: it is somebody's work in progress.
 */
export type PackageTrust = "signed" | "registry" | "checksum" | "none" | "development";

/** A package in the cache, as it was recorded. */
export interface CachedPackage {
  readonly folder: string;
  /** Of what is in the folder now. */
  readonly hash: PackageHash;
  readonly record: InstallRecord | undefined;
}

/**
 * Unpacked packages, in the layout of the CLIs, who may share the folder: `HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/`. Any number of
 * processes may install the same package at once: each unpacks aside, and moves it to its place when it is whole.
 */
export class PackageCache {
  private readonly root: string;
  private readonly platform: Platform;

  constructor(root: string, platform: Platform) {
    this.root = root;
    this.platform = platform;
  }

  /** Versions that are there, newest first. */
  async versions(address: SourceAddress): Promise<readonly Version[]> {
    const names = await readdir(this.folderOf(address)).catch(() => []);
    const found: Version[] = [];
    for (const name of names) {
      const version = tryParseVersion(name);
      if (version && (await isFolder(this.packageFolder(address, version)))) found.push(version);
    }
    return found.sort((left, right) => compareVersions(right, left));
  }

  /**
   * The package of a version, if it is there and still has one of the hashes; if none are given, the one it was installed with.
   */
  async find(address: SourceAddress, version: Version, hashes: readonly PackageHash[]): Promise<CachedPackage | undefined> {
    const folder = this.packageFolder(address, version);
    if (!(await isFolder(folder))) return undefined;
    const record = await readRecord(recordFile(folder));
    const wanted = hashes.length > 0 ? hashes : record ? [record.hash] : [];
    const hash = await hashPackageFolder(folder);
    return wanted.includes(hash) ? { folder, hash, record } : undefined;
  }

  /** Unpacks a zip file that has been checked, and records what is known of it. */
  async install(address: SourceAddress, version: Version, zip: string, record: InstallRecord): Promise<string> {
    const folder = this.packageFolder(address, version);
    if (!(await this.isAlreadyThere(folder, record.hash))) {
      const aside = join(dirname(folder), `.${formatPlatform(this.platform)}-${randomUUID()}`);
      await unpackPackage(zip, aside);
      await this.moveIn(aside, folder, record.hash);
    }
    await writeRecord(recordFile(folder), record);
    return folder;
  }

  /** A new folder for downloads, on the same file system as the cache. */
  async temporaryFolder(): Promise<string> {
    const folder = join(this.root, `.download-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  private async moveIn(aside: string, folder: string, hash: PackageHash): Promise<void> {
    for (;;) {
      try {
        await rename(aside, folder);
        return;
      } catch (error) {
        if (!(await isFolder(folder))) {
          await rm(aside, { recursive: true, force: true });
          throw error;
        }
      }
      if (await this.isAlreadyThere(folder, hash)) {
        await rm(aside, { recursive: true, force: true });
        return;
      }
      // What is in the way is another package, or half of one: out of the way, whole, so that nobody sees a mixture.
      const old = `${aside}-old`;
      await rename(folder, old).catch(() => {});
      await rm(old, { recursive: true, force: true });
    }
  }

  /** Whether the right package is there. One that is new and wrong may be half unpacked by a CLI: it gets some time. */
  private async isAlreadyThere(folder: string, hash: PackageHash): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const age = await stat(folder).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => undefined,
      );
      if (age === undefined) return false;
      // A file may vanish while it is hashed.
      const found = await hashPackageFolder(folder).catch(() => undefined);
      if (found === hash) return true;
      if (age > 10_000 || attempt >= 25) return false;
      await sleep(200);
    }
  }

  private folderOf({ hostname, namespace, type }: SourceAddress): string {
    return join(this.root, folderName(hostname), namespace, type);
  }

  private packageFolder(address: SourceAddress, version: Version): string {
    return join(this.folderOf(address), formatVersion(version), formatPlatform(this.platform));
  }
}

/** Where packages are kept if nobody says otherwise: `$XDG_CACHE_HOME/tenon/providers`. */
export function defaultCacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return userCacheFolder("providers", environment);
}

function recordFile(folder: string): string {
  return `${folder}.tenon.json`;
}

async function readRecord(path: string): Promise<InstallRecord | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(path, "utf8"));
    const isOurs = typeof record === "object" && record !== null && "format" in record && record.format === 1;
    return isOurs ? (record as InstallRecord) : undefined;
  } catch {
    return undefined;
  }
}

async function writeRecord(path: string, record: InstallRecord): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await writeFile(aside, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(aside, path);
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
