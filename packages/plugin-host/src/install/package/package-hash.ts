// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PluginHostError } from "../../error.ts";
import { openPackage } from "./package-archive.ts";

/**
 * Hash of a package, as in lock files: `h1:` and the hash of its files, packed or unpacked; or `zh:` and the SHA-256 of the zip file, which
 * an unpacked package does not have.
 */
export type PackageHash = `${"h1" | "zh"}:${string}`;

/** Options of hashing a package. */
export interface HashOptions {
  /** Cancels the hashing, which then rejects with an `AbortError`. */
  readonly signal?: AbortSignal;
}

/** The `zh:` hash of a zip file. */
export async function hashZipFile(path: string, options: HashOptions = {}): Promise<PackageHash> {
  return `zh:${await hashFile(path, options)}`;
}

/**
 * The `h1:` hash of an unpacked package. Modes and times are ignored; links to files are followed.
 *
 * @throws PluginHostError `PACKAGE_MALFORMED` for a folder with an entry that cannot be read, such as a link to a folder
 * @see golang.org/x/mod/sumdb/dirhash, HashDir and Hash1
 */
export async function hashPackageFolder(folder: string, options: HashOptions = {}): Promise<PackageHash> {
  const files: HashedFile[] = [];
  try {
    const root = await realpath(folder);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      const path = join(entry.parentPath, entry.name);
      files.push({ name: path.slice(root.length + 1).replaceAll("\\", "/"), sha256: await hashFile(path, options) });
    }
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new PluginHostError("PACKAGE_MALFORMED", `the package ${folder} cannot be read: ${(cause as Error).message}`, { cause });
  }
  return hashOfFiles(files);
}

/**
 * The `h1:` hash of a zip file: equal to `hashPackageFolder` of the unpacked package, unless the archive has entries for folders,
 * which count here, as in Go.
 *
 * @throws PluginHostError `PACKAGE_MALFORMED`
 * @see golang.org/x/mod/sumdb/dirhash, HashZip
 */
export async function hashPackageZip(path: string, options: HashOptions = {}): Promise<PackageHash> {
  await using archive = await openPackage(path);
  const files: HashedFile[] = [];
  for await (const entry of archive.entries()) {
    const hash = createHash("sha256");
    if (entry.kind === "file") {
      await pipeline(await entry.read(), hash, options).catch((cause: unknown) => {
        options.signal?.throwIfAborted();
        throw entry.damaged(cause);
      });
    }
    files.push({ name: entry.kind === "file" ? entry.name : `${entry.name}/`, sha256: hash.digest("hex") });
  }
  return hashOfFiles(files);
}

interface HashedFile {
  readonly name: string;
  readonly sha256: string;
}

function hashOfFiles(files: readonly HashedFile[]): PackageHash {
  const invalid = files.find(({ name }) => name.includes("\n"));
  if (invalid) {
    throw new PluginHostError("PACKAGE_MALFORMED", `a package cannot hold ${JSON.stringify(invalid.name)}: its name has a line break`);
  }
  const sorted = files.map(({ name, sha256 }) => ({ key: Buffer.from(name), line: `${sha256}  ${name}\n` }));
  sorted.sort((left, right) => Buffer.compare(left.key, right.key));
  const hash = createHash("sha256");
  for (const { line } of sorted) hash.update(line);
  return `h1:${hash.digest("base64")}`;
}

async function hashFile(path: string, options: HashOptions): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, options);
  return hash.digest("hex");
}
