// SPDX-License-Identifier: Apache-2.0
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { unpackPackage } from "@tenon/plugin-host/install";
import type { ArchiveKind } from "./archive-kind.ts";
import { pathInPackage } from "./package-folder.ts";
import { SourceError } from "./source-error.ts";

/** Maximum size of an unpacked package in bytes. */
export const maxPackageBytes: number = 2 ** 30;

/**
 * Unpacks the archive of a module into a folder that does not exist yet. Entries outside of the folder, links and devices are rejected.
 *
 * @param kind Default: the kind is detected from the first bytes of the file.
 * @throws SourceError, PluginHostError `PACKAGE_MALFORMED`
 */
export async function unpackModuleArchive(file: string, target: string, kind?: ArchiveKind): Promise<void> {
  const format = kind ?? (await formatOf(file));
  if (format === "zip") {
    await unpackPackage(file, target);
    return;
  }
  const compressed = await readFile(file);
  const bytes = format === "tar" ? compressed : await decompressGzip(compressed);
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await unpackTar(bytes, folder);
    await rename(folder, target);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function formatOf(file: string): Promise<ArchiveKind> {
  await using handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  if (buffer.subarray(0, 2).toString("latin1") === "PK") return "zip";
  return buffer[0] === 0x1f && buffer[1] === 0x8b ? "tar.gz" : "tar";
}

const gunzipAsync = promisify(gunzip);

async function decompressGzip(bytes: Buffer): Promise<Buffer> {
  try {
    return await gunzipAsync(bytes, { maxOutputLength: maxPackageBytes });
  } catch (error) {
    throw new SourceError("the archive is malformed: it is not gzip, or larger than 1 GiB when unpacked", { cause: error });
  }
}

const blockSize = 512;

/** Reads a tar archive (ustar, with the long names of GNU and pax). @see POSIX pax, ustar Interchange Format */
async function unpackTar(bytes: Buffer, folder: string): Promise<void> {
  let longName: string | undefined;
  for (let at = 0; at + blockSize <= bytes.length;) {
    const header = bytes.subarray(at, at + blockSize);
    if (header.every((byte) => byte === 0)) return;
    const size = Number.parseInt(textIn(header, 124, 12).trim() || "0", 8);
    const start = at + blockSize;
    if (!Number.isSafeInteger(size) || size < 0 || start + size > bytes.length)
      throw new SourceError("the archive is malformed: it is truncated");
    const content = bytes.subarray(start, start + size);
    at = start + Math.ceil(size / blockSize) * blockSize;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === "L") {
      longName = content.toString("utf8").replace(/\0.*$/s, "");
      continue;
    }
    if (type === "x") {
      longName = paxPath(content) ?? longName;
      continue;
    }
    if (type === "g") continue;
    const prefix = textIn(header, 257, 5) === "ustar" ? textIn(header, 345, 155) : "";
    const name = longName ?? (prefix === "" ? textIn(header, 0, 100) : `${prefix}/${textIn(header, 0, 100)}`);
    longName = undefined;
    const path = join(folder, pathInPackage(name));
    if (type === "5") await mkdir(path, { recursive: true });
    else if (type === "0" || type === "\0") {
      await mkdir(dirname(path), { recursive: true });
      const mode = Number.parseInt(textIn(header, 100, 8).trim() || "644", 8);
      await writeFile(path, content, { flag: "wx", mode: (mode & 0o111) === 0 ? 0o644 : 0o755 });
    } else throw new SourceError(`the archive has the entry ${JSON.stringify(name)}, which is neither a file nor a folder`);
  }
}

function textIn(bytes: Buffer, start: number, length: number): string {
  return bytes
    .subarray(start, start + length)
    .toString("utf8")
    .replace(/\0.*$/s, "");
}

/** The `path` record of a pax header: `27 path=some/long/name\n`. */
function paxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length;) {
    const length = Number.parseInt(content.subarray(at, at + 20).toString("latin1"), 10);
    if (!(length > 0) || at + length > content.length) throw new SourceError("the archive is malformed: a pax header is invalid");
    const record = content.subarray(at, at + length).toString("utf8");
    const [, key, value] = /^\d+ ([^=]*)=(.*)\n$/s.exec(record) ?? [];
    if (key === "path") return value;
    at += length;
  }
  return undefined;
}
