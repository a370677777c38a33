// SPDX-License-Identifier: Apache-2.0
import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { PackageHash } from "../package/package-hash.ts";
import { openPrivateFolder } from "./private-folder.ts";

/**
 * Evidence that a package is authentic.
 *
 * - `signed`: its checksums are signed by a key that its registry lists.
 * - `registry`: its registry, or a mirror that is trusted for it, reports its checksum, without a signature.
 * - `checksum`: it has the checksum that a mirror reports or the lock file records.
 * - `none`: no evidence, such as for a package in a folder of the user.
 * - `development`: it is under development (`dev_overrides`).
 */
export type PackageTrust = "signed" | "registry" | "checksum" | "none" | "development";

/** Evidence about a package at the time of its installation. */
export interface InstallRecord {
  readonly format: 1;
  /** Hash of the unpacked package. The record is only valid for a package with this hash. */
  readonly hash: PackageHash;
  /** All known hashes of this version, for lock files. Sorted. */
  readonly hashes: readonly PackageHash[];
  /** The registry, mirror or folder that the package came from. */
  readonly source: string;
  /** Ids of the keys that signed its checksums. */
  readonly signedBy: readonly string[];
  readonly trust: PackageTrust;
}

/**
 * Install records, one file for each package folder. They are kept in a folder that only the user writes to, and not beside the
 * packages: any user who may write to a shared cache could replace a package together with its record.
 */
export class InstallRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the record of a package folder; undefined if it does not exist, is malformed, or other users can write records. */
  async read(packageFolder: string): Promise<InstallRecord | undefined> {
    try {
      if (!(await openPrivateFolder(this.#folder))) return undefined;
      const record: unknown = JSON.parse(await readFile(this.#file(packageFolder), "utf8"));
      return isRecord(record) ? record : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes the record of a package folder. @returns the reason if it could not be written; otherwise undefined */
  async write(packageFolder: string, record: InstallRecord): Promise<string | undefined> {
    const file = this.#file(packageFolder);
    const temporary = `${file}.${randomUUID()}`;
    try {
      if (!(await openPrivateFolder(this.#folder))) return `others can write to ${this.#folder}`;
      await writeFile(temporary, `${JSON.stringify({ folder: resolve(packageFolder), ...record }, undefined, 2)}\n`, {
        mode: 0o600,
        flag: "wx",
      });
      await rename(temporary, file);
      return undefined;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      return (error as Error).message;
    }
  }

  #file(packageFolder: string): string {
    return join(this.#folder, `${createHash("sha256").update(resolve(packageFolder)).digest("hex")}.json`);
  }
}

function isRecord(data: unknown): data is InstallRecord {
  if (typeof data !== "object" || data === null) return false;
  const { format, hash, hashes, source, signedBy, trust } = data as Readonly<Record<keyof InstallRecord, unknown>>;
  return format === 1 && isText(hash) && isTexts(hashes) && isText(source) && isTexts(signedBy) && isText(trust) && trusts.has(trust);
}

const trusts: ReadonlySet<string> = new Set<PackageTrust>(["signed", "registry", "checksum", "none", "development"]);

function isText(data: unknown): data is string {
  return typeof data === "string";
}

function isTexts(data: unknown): data is readonly string[] {
  return Array.isArray(data) && data.every(isText);
}
