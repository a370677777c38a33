// SPDX-License-Identifier: Apache-2.0
import { createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type ArchiveEntry, openPackage, type PackageLimits } from "./package-archive.ts";

/** Options of unpacking a package. */
export interface UnpackOptions extends PackageLimits {
  /** Cancels the unpacking, which then rejects with an `AbortError`. */
  readonly signal?: AbortSignal;
}

/**
 * Unpacks a package into a folder beside `target`, which is then renamed to `target`: `target` is never incomplete. Files keep their
 * permissions. On failure the folder is removed.
 *
 * @param target - a folder that does not exist; its parent is created if necessary
 * @throws PluginHostError `PACKAGE_MALFORMED`; errors of the file system, such as `EEXIST` or `ENOTEMPTY` if `target` exists
 */
export async function unpackPackage(zip: string, target: string, { signal, ...limits }: UnpackOptions = {}): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await using archive = await openPackage(zip, limits);
    for await (const entry of archive.entries()) {
      const path = join(folder, entry.name);
      if (entry.kind === "folder") await mkdir(path, { recursive: true });
      else await unpackFile(entry, path, signal);
    }
    // mkdtemp creates a folder that only this user can read; the package must be readable for all users of the cache.
    await chmod(folder, 0o755);
    await rename(folder, target);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function unpackFile(entry: ArchiveEntry, path: string, signal: AbortSignal | undefined): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  let sum = 0;
  const summing = new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  const target = createWriteStream(path, { flags: "wx", mode: entry.mode ?? 0o644 });
  await pipeline(await entry.read(), summing, target, signal ? { signal } : {}).catch((cause: unknown) => {
    signal?.throwIfAborted();
    if (cause instanceof Error && "syscall" in cause) throw cause;
    throw entry.damaged(cause);
  });
  if (sum !== entry.crc32) throw entry.damaged(new Error("its checksum is wrong"));
}
