// SPDX-License-Identifier: Apache-2.0
import { stat } from "node:fs/promises";
import { PluginHostError } from "../../error.ts";
import { hashPackageFolder, hashPackageZip, hashZipFile, type PackageHash } from "../package/package-hash.ts";

/** A package as it has come: packed or not. */
export interface LocalPackage {
  readonly kind: "folder" | "archive";
  readonly path: string;
}

/** What is known of a package after a check. */
export interface PackageEvidence {
  /** Ids of keys that signed its check sums. */
  readonly signedBy: readonly string[];
  /** Hashes the source vouches for, of packages for other platforms too. */
  readonly reported: readonly PackageHash[];
  /** Hashes that were computed here, and are right. */
  readonly verified: readonly PackageHash[];
  readonly warnings: readonly string[];
}

/** Tells whether a package is the right one. @throws PluginHostError `CHECKSUM_MISMATCH`, `SIGNATURE_INVALID` */
export type PackageCheck = (local: LocalPackage) => Promise<Partial<PackageEvidence>>;

/**
 * The package must have one of the hashes. Which ones count says the platform; of others they are only passed on.
 *
 * @param reported Hashes the source is trusted for although they cannot be checked here.
 */
export function checkAnyHash(what: string, hashes: readonly PackageHash[], reported: readonly PackageHash[]): PackageCheck {
  return async (local) => {
    const known = hashes.filter(isKnownHash);
    if (known.length === 0) throw new PluginHostError("CHECKSUM_MISMATCH", `${what} has no check sum of a kind that is known here`);
    const verified = await matchingHashes(local, known);
    if (verified.length > 0) return { verified, reported };
    const expected = known.length === 1 ? `is not ${known[0]}` : "is none of the expected ones";
    throw new PluginHostError("CHECKSUM_MISMATCH", `${what} is not the package it should be: its check sum ${expected}`);
  };
}

/** The zip file must have this SHA-256, in lower-case hex. */
export function checkSha256(what: string, sha256: string): PackageCheck {
  return async ({ path }) => {
    const found = await hashZipFile(path);
    if (found === `zh:${sha256}`) return { verified: [found] };
    const message = `${what} is not the package it should be: its check sum is ${found.slice(3)} (expected ${sha256})`;
    throw new PluginHostError("CHECKSUM_MISMATCH", message);
  };
}

/** The zip file must have this many bytes. */
export function checkSize(what: string, bytes: number): PackageCheck {
  return async ({ path }) => {
    const { size } = await stat(path);
    if (size === bytes) return {};
    throw new PluginHostError("CHECKSUM_MISMATCH", `${what} is not the package it should be: it has ${size} bytes (expected ${bytes})`);
  };
}

/** Those of the hashes that the package has. `zh:` can be told of zip files only. */
export async function matchingHashes(local: LocalPackage, hashes: readonly PackageHash[]): Promise<readonly PackageHash[]> {
  const own: PackageHash[] = [];
  if (hashes.some((hash) => hash.startsWith("h1:"))) own.push(await hashOfContents(local));
  if (local.kind === "archive" && hashes.some((hash) => hash.startsWith("zh:"))) own.push(await hashZipFile(local.path));
  return own.filter((hash) => hashes.includes(hash));
}

/** The `h1:` hash. */
export async function hashOfContents({ kind, path }: LocalPackage): Promise<PackageHash> {
  return kind === "folder" ? await hashPackageFolder(path) : await hashPackageZip(path);
}

/** Whether it is of a kind that can be computed here. */
export function isKnownHash(hash: string): hash is PackageHash {
  return hash.startsWith("h1:") || hash.startsWith("zh:");
}
