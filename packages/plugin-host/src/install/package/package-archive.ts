// SPDX-License-Identifier: Apache-2.0
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { PluginHostError } from "../../error.ts";

/** A file or folder in a package. */
export interface ArchiveEntry {
  readonly kind: "file" | "folder";
  /** Path within the package, with `/` as separator and without a trailing one. */
  readonly name: string;
  /** Number of bytes, unpacked. */
  readonly size: number;
  /** Unix permissions; undefined if the archive was not created on Unix. */
  readonly mode: number | undefined;
  readonly crc32: number;
  /** Reads the content. The stream fails if it has more or fewer bytes than `size`. */
  read(): Promise<Readable>;
  /** Creates the error for content that cannot be read. */
  damaged(cause: unknown): PluginHostError;
}

/** An open zip file. */
export interface PackageArchive extends AsyncDisposable {
  /** Reads the entries one by one. */
  entries(): AsyncIterable<ArchiveEntry>;
}

/** Limits for the content of a package. */
export interface PackageLimits {
  /** Maximum number of files and folders. Default: 10,000. */
  readonly maxEntries?: number;
  /**
   * Maximum number of bytes, unpacked. Default: 4 GiB. Never more than a hundred times the size of the zip file, or 64 MiB if that is more.
   */
  readonly maxBytes?: number;
}

/**
 * Opens a package. Rejects entries that attacks use and that no provider's package needs: links, names outside the package, two entries
 * with the same name (ignoring case), a file that is also a folder, encryption, and zip bombs.
 *
 * @throws PluginHostError `PACKAGE_MALFORMED`, also from `entries()`
 */
export async function openPackage(path: string, limits: PackageLimits = {}): Promise<PackageArchive> {
  const { size } = await stat(path);
  const maxBytes = Math.min(limits.maxBytes ?? 4 * 2 ** 30, Math.max(64 * 2 ** 20, size * 100));
  const { maxEntries = 10_000 } = limits;
  const malformed: Malformed = (reason, cause) =>
    new PluginHostError("PACKAGE_MALFORMED", `${path} cannot be unpacked: ${reason}`, cause === undefined ? {} : { cause });
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch((cause: unknown) => {
    throw malformed(cause instanceof Error ? cause.message : "it is not a zip file", cause);
  });
  return {
    entries: () => readEntries(zip, { maxEntries, maxBytes }, malformed),
    [Symbol.asyncDispose]: async () => zip.close(),
  };
}

/** Creates the error for a malformed package. */
type Malformed = (reason: string, cause?: unknown) => PluginHostError;

async function* readEntries(zip: ZipFile, limits: Required<PackageLimits>, malformed: Malformed): AsyncGenerator<ArchiveEntry> {
  const { maxEntries, maxBytes } = limits;
  const tree = new EntryNames(malformed);
  let bytes = 0;
  if (zip.entryCount > maxEntries) throw malformed(`it has ${zip.entryCount} entries, but the limit is ${maxEntries}`);
  try {
    for await (const entry of zip.eachEntry()) {
      const described = describeEntry(zip, entry, malformed);
      tree.add(described);
      bytes += described.size;
      if (bytes > maxBytes) throw malformed(`it has more than ${maxBytes} bytes of content, which is the limit`);
      yield described;
    }
  } catch (cause) {
    if (cause instanceof PluginHostError) throw cause;
    throw malformed(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** The names of the entries so far, without regard to case, since some file systems ignore it. */
class EntryNames {
  readonly #kinds = new Map<string, "file" | "folder">();
  /** Folders of entries, which may have no entry themselves. */
  readonly #parents = new Set<string>();
  readonly #malformed: Malformed;

  constructor(malformed: Malformed) {
    this.#malformed = malformed;
  }

  add({ name, kind }: ArchiveEntry): void {
    const key = name.normalize("NFC").toLowerCase();
    const quoted = JSON.stringify(name);
    if (this.#kinds.has(key)) throw this.#malformed(`${quoted} occurs twice`);
    if (kind === "file" && this.#parents.has(key)) throw this.#malformed(`${quoted} is both a file and a folder`);
    this.#kinds.set(key, kind);
    for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
      const parent = key.slice(0, end);
      if (this.#kinds.get(parent) === "file") throw this.#malformed(`${quoted} is inside a file`);
      this.#parents.add(parent);
    }
  }
}

const createdOnUnix = 3;
const typeOfFile = 0o170000;
const folderType = 0o040000;
const regularType = 0o100000;

function describeEntry(zip: ZipFile, entry: Entry, malformed: Malformed): ArchiveEntry {
  const isFolder = entry.fileName.endsWith("/");
  const name = isFolder ? entry.fileName.slice(0, -1) : entry.fileName;
  const quoted = JSON.stringify(entry.fileName);
  if (name.split("/").some((part) => part === "" || part === "." || part === ".."))
    throw malformed(`${quoted} is not a relative path inside the package`);
  // On Windows a colon follows a drive letter, or separates the name of an alternate data stream.
  if (/[\p{Cc}:\\]/u.test(name)) throw malformed(`${quoted} has characters that are not allowed in a package`);
  if (entry.isEncrypted()) throw malformed(`${quoted} is encrypted`);
  if (!entry.canDecodeFileData()) throw malformed(`${quoted} is compressed by method ${entry.compressionMethod}, which is not supported`);
  const unixMode = entry.versionMadeBy >>> 8 === createdOnUnix ? entry.externalFileAttributes >>> 16 : 0;
  const type = unixMode & typeOfFile;
  if (type !== 0 && type !== (isFolder ? folderType : regularType)) throw malformed(`${quoted} is neither a file nor a folder`);
  if (isFolder && entry.uncompressedSize > 0) throw malformed(`${quoted} is a folder with data`);
  const damaged = (cause: unknown): PluginHostError =>
    malformed(`${quoted} is damaged: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  return {
    kind: isFolder ? "folder" : "file",
    name,
    size: entry.uncompressedSize,
    mode: unixMode === 0 ? undefined : unixMode & 0o777,
    crc32: entry.crc32,
    read: async () => {
      try {
        return await zip.openReadStreamPromise(entry);
      } catch (cause) {
        throw damaged(cause);
      }
    },
    damaged,
  };
}
