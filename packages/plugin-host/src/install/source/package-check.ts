// SPDX-License-Identifier: Apache-2.0
import { stat } from "node:fs/promises";
import { PluginHostError } from "../../error.ts";
import { hashPackageFolder, hashPackageZip, hashZipFile, type HashOptions, type PackageHash } from "../package/package-hash.ts";

/** A package on this machine: an unpacked folder, or a zip file. */
export interface LocalPackage {
  readonly kind: "folder" | "archive";
  readonly path: string;
}

/** Result of a check of a package. */
export interface PackageEvidence {
  /** Ids of the keys that signed its checksums. */
  readonly signedBy: readonly string[];
  /** Hashes that the source reports, also for other platforms. */
  readonly reported: readonly PackageHash[];
  /** Hashes that this host computed and that match. */
  readonly verified: readonly PackageHash[];
  readonly warnings: readonly string[];
}

/** Verifies a package. @throws PluginHostError `CHECKSUM_MISMATCH`, `SIGNATURE_INVALID` */
export type PackageCheck = (local: LocalPackage, options: HashOptions) => Promise<Partial<PackageEvidence>>;

/**
 * Checks that the package has one of the hashes.
 *
 * @param what - the provider and its version, for errors
 * @param reported - hashes for other platforms, for which the source is trusted
 */
export function checkAnyHash(what: string, hashes: readonly PackageHash[], reported: readonly PackageHash[]): PackageCheck {
  return async (local, options) => {
    const known = hashes.filter(isKnownHash);
    if (known.length === 0) throw new PluginHostError("CHECKSUM_MISMATCH", `${what} has no checksum of a known kind (h1 or zh)`);
    const verified = await matchingHashes(local, known, options);
    if (verified.length > 0) return { verified, reported };
    const expected = known.length === 1 ? `is not ${known[0]}` : "is none of the expected checksums";
    throw new PluginHostError("CHECKSUM_MISMATCH", `${what} is not the expected package: its checksum ${expected}`);
  };
}

/** Checks the SHA-256 of the zip file, given in lower-case hex. */
export function checkSha256(what: string, sha256: string): PackageCheck {
  return async ({ path }, options) => {
    const found = await hashZipFile(path, options);
    if (found === `zh:${sha256}`) return { verified: [found] };
    const message = `${what} is not the expected package: its checksum is ${found.slice(3)} (expected ${sha256})`;
    throw new PluginHostError("CHECKSUM_MISMATCH", message);
  };
}

/** Checks the size of the zip file. */
export function checkSize(what: string, bytes: number): PackageCheck {
  return async ({ path }) => {
    const { size } = await stat(path);
    if (size === bytes) return {};
    throw new PluginHostError("CHECKSUM_MISMATCH", `${what} is not the expected package: it has ${size} bytes (expected ${bytes})`);
  };
}

/** Returns the hashes that the package has. An unpacked package has no `zh:` hash. */
export async function matchingHashes(
  local: LocalPackage,
  hashes: readonly PackageHash[],
  options: HashOptions,
): Promise<readonly PackageHash[]> {
  const own: PackageHash[] = [];
  if (hashes.some((hash) => hash.startsWith("h1:"))) own.push(await hashOfContents(local, options));
  if (local.kind === "archive" && hashes.some((hash) => hash.startsWith("zh:"))) own.push(await hashZipFile(local.path, options));
  return own.filter((hash) => hashes.includes(hash));
}

/** The `h1:` hash of a package. */
export async function hashOfContents({ kind, path }: LocalPackage, options: HashOptions): Promise<PackageHash> {
  return kind === "folder" ? await hashPackageFolder(path, options) : await hashPackageZip(path, options);
}

/** Whether this host can compute a hash of this kind. */
export function isKnownHash(hash: string): hash is PackageHash {
  return hash.startsWith("h1:") || hash.startsWith("zh:");
}
