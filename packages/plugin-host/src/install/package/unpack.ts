// SPDX-License-Identifier: Apache-2.0
import { createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { PluginHostError } from "../../error.ts";
import { type ArchiveEntry, openPackage, type PackageLimits } from "./package-archive.ts";

/**
 * Unpacks a package next to where it shall be, and moves it there when it is whole: `target` never holds half of it. Files keep who
 * may do what. On failure nothing remains.
 *
 * @param target A folder that does not exist; the one above it may not exist either.
 * @throws PluginHostError `PACKAGE_MALFORMED`; errors of the file system as they are, `EEXIST` or `ENOTEMPTY` where `target` is there.
 */
export async function unpackPackage(zip: string, target: string, limits: PackageLimits = {}): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await using archive = await openPackage(zip, limits);
    for await (const entry of archive.entries()) {
      const path = join(folder, entry.name);
      if (entry.kind === "folder") await mkdir(path, { recursive: true });
      else await unpackFile(zip, entry, path);
    }
    // mkdtemp lets nobody else in; a package is for everyone who shares the folder above.
    await chmod(folder, 0o755);
    await rename(folder, target);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function unpackFile(zip: string, entry: ArchiveEntry, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const malformed = (reason: string, cause?: unknown): PluginHostError =>
    new PluginHostError("PACKAGE_MALFORMED", `${zip} cannot be unpacked: ${reason}`, cause === undefined ? {} : { cause });
  let sum = 0;
  const summing = new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  const target = createWriteStream(path, { flags: "wx", mode: entry.mode ?? 0o644 });
  await pipeline(await entry.read(), summing, target).catch((cause: unknown) => {
    if (cause instanceof Error && "syscall" in cause) throw cause;
    throw malformed(`${JSON.stringify(entry.name)} is damaged: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  });
  if (sum !== entry.crc32) throw malformed(`${JSON.stringify(entry.name)} is damaged: its check sum is wrong`);
}
