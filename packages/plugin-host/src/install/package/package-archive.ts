// SPDX-License-Identifier: Apache-2.0
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { PluginHostError } from "../../error.ts";

/** A file or a folder in a package. */
export interface ArchiveEntry {
  readonly kind: "file" | "folder";
  /** With `/` between its parts, and none at the end. Stays within the package. */
  readonly name: string;
  /** Bytes, unpacked. */
  readonly size: number;
  /** Who may do what, as in Unix; undefined where the archive was not made there. */
  readonly mode: number | undefined;
  readonly crc32: number;
  /** What is in it. Fails where there is more or less than `size`. */
  read(): Promise<Readable>;
}

/** A package as it is downloaded: a zip file. */
export interface PackageArchive extends AsyncDisposable {
  entries(): AsyncIterable<ArchiveEntry>;
}

/** How much a package may hold. */
export interface PackageLimits {
  /** Files and folders. Default: 10,000. */
  readonly maxEntries?: number;
  /** Bytes, unpacked. Default: 4 GiB, and never more than a hundred times the zip file, unless that is less than 64 MiB. */
  readonly maxBytes?: number;
}

/**
 * Opens a package, and refuses what no provider's package needs and an attack might: links, names that lead out of it, two entries
 * of one name (the case of letters aside), encryption, and far more data than the size of the file lets expect.
 *
 * @throws PluginHostError `PACKAGE_MALFORMED`, from `entries()` too.
 */
export async function openPackage(path: string, limits: PackageLimits = {}): Promise<PackageArchive> {
  const { size } = await stat(path);
  const maxBytes = Math.min(limits.maxBytes ?? 4 * 2 ** 30, Math.max(64 * 2 ** 20, size * 100));
  const { maxEntries = 10_000 } = limits;
  const refuse = (reason: string, cause?: unknown): never => {
    throw new PluginHostError("PACKAGE_MALFORMED", `${path} cannot be unpacked: ${reason}`, cause === undefined ? {} : { cause });
  };
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch((cause: unknown) =>
    refuse(cause instanceof Error ? cause.message : "it is no zip file", cause),
  );
  return {
    entries: () => readEntries(zip, { maxEntries, maxBytes }, refuse),
    [Symbol.asyncDispose]: async () => zip.close(),
  };
}

async function* readEntries(zip: ZipFile, limits: Required<PackageLimits>, refuse: Refuse): AsyncGenerator<ArchiveEntry> {
  const names = new Set<string>();
  let bytes = 0;
  if (zip.entryCount > limits.maxEntries) refuse(`it has ${zip.entryCount} entries, and ${limits.maxEntries} are the limit`);
  try {
    for await (const entry of zip.eachEntry()) {
      const described = describeEntry(zip, entry, refuse);
      const key = described.name.normalize("NFC").toLowerCase();
      if (names.has(key)) refuse(`${JSON.stringify(described.name)} is in it twice`);
      names.add(key);
      bytes += described.size;
      if (bytes > limits.maxBytes) refuse(`it holds more than ${limits.maxBytes} bytes, which is the limit`);
      yield described;
    }
  } catch (cause) {
    if (cause instanceof PluginHostError) throw cause;
    refuse(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

type Refuse = (reason: string, cause?: unknown) => never;

const madeOnUnix = 3;
const typeOfFile = 0o170000;
const folderType = 0o040000;
const regularType = 0o100000;

function describeEntry(zip: ZipFile, entry: Entry, refuse: Refuse): ArchiveEntry {
  const isFolder = entry.fileName.endsWith("/");
  const name = isFolder ? entry.fileName.slice(0, -1) : entry.fileName;
  const quoted = JSON.stringify(entry.fileName);
  if (name.split("/").some((part) => part === "" || part === "." || part === "..")) refuse(`${quoted} is not a name within it`);
  // A colon is a drive, or a hidden stream, on Windows; nobody has one in a package for other systems.
  if (/[\p{Cc}:\\]/u.test(name)) refuse(`${quoted} has characters that names in packages may not have`);
  if (entry.isEncrypted()) refuse(`${quoted} is encrypted`);
  if (!entry.canDecodeFileData()) refuse(`${quoted} is compressed by method ${entry.compressionMethod}, which is not supported`);
  const unixMode = entry.versionMadeBy >>> 8 === madeOnUnix ? entry.externalFileAttributes >>> 16 : 0;
  const type = unixMode & typeOfFile;
  if (type !== 0 && type !== (isFolder ? folderType : regularType)) refuse(`${quoted} is neither a file nor a folder`);
  if (isFolder && entry.uncompressedSize > 0) refuse(`${quoted} is a folder with contents of its own`);
  return {
    kind: isFolder ? "folder" : "file",
    name,
    size: entry.uncompressedSize,
    mode: unixMode === 0 ? undefined : unixMode & 0o777,
    crc32: entry.crc32,
    read: () => zip.openReadStreamPromise(entry),
  };
}
