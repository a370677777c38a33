// SPDX-License-Identifier: Apache-2.0
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ZipEntry } from "./zip-archive.ts";

/** A file of a package. */
export type PackagedFile = ZipEntry;

/** Writes the files of a package into a folder of its own: a host might run a file that an earlier version left behind. */
export async function writePackage(folder: string, files: readonly PackagedFile[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const file of files) await writeEntry(folder, file);
}

/** Writes a file below a folder, and returns its path. */
export async function writeEntry(folder: string, { name, content, executable }: PackagedFile): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode: executable ? 0o755 : 0o644 });
  return path;
}
