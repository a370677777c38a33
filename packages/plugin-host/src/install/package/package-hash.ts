// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PluginHostError } from "../../error.ts";
import { openPackage } from "./package-archive.ts";

/**
 * What identifies a package, as in lock files: `h1:` and the hash of its files, packed or not; or `zh:` and the SHA-256 of the zip
 * file, which says nothing of an unpacked package.
 */
export type PackageHash = `${"h1" | "zh"}:${string}`;

/** The `zh:` hash of a zip file. */
export async function hashZipFile(path: string): Promise<PackageHash> {
  return `zh:${await hashFile(path)}`;
}

/**
 * The `h1:` hash of an unpacked package. Modes and times have no part in it; links are followed.
 *
 * @see golang.org/x/mod/sumdb/dirhash, HashDir and Hash1
 */
export async function hashPackageFolder(folder: string): Promise<PackageHash> {
  const root = await realpath(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const lines: HashedFile[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    lines.push({ name: path.slice(root.length + 1).replaceAll("\\", "/"), sha256: await hashFile(path) });
  }
  return hashOfFiles(lines);
}

/**
 * The `h1:` hash of a zip file: what `hashPackageFolder` says once it is unpacked, unless the archive has entries for folders.
 * These are counted here, as Go does.
 *
 * @throws PluginHostError `PACKAGE_MALFORMED`
 * @see golang.org/x/mod/sumdb/dirhash, HashZip
 */
export async function hashPackageZip(path: string): Promise<PackageHash> {
  await using archive = await openPackage(path);
  const lines: HashedFile[] = [];
  for await (const entry of archive.entries()) {
    const hash = createHash("sha256");
    if (entry.kind === "file") await pipeline(await entry.read(), hash);
    lines.push({ name: entry.kind === "file" ? entry.name : `${entry.name}/`, sha256: hash.digest("hex") });
  }
  return hashOfFiles(lines);
}

interface HashedFile {
  readonly name: string;
  readonly sha256: string;
}

function hashOfFiles(files: HashedFile[]): PackageHash {
  const strange = files.find(({ name }) => name.includes("\n"));
  if (strange) {
    throw new PluginHostError("PACKAGE_MALFORMED", `a package cannot hold ${JSON.stringify(strange.name)}: there is a line break in it`);
  }
  const sorted = files.map(({ name, sha256 }) => ({ key: Buffer.from(name), line: `${sha256}  ${name}\n` }));
  sorted.sort((left, right) => Buffer.compare(left.key, right.key));
  const hash = createHash("sha256");
  for (const { line } of sorted) hash.update(line);
  return `h1:${hash.digest("base64")}`;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
