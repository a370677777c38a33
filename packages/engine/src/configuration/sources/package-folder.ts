// SPDX-License-Identifier: Apache-2.0
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { SourceError } from "./source-error.ts";

/**
 * Finds the folder of a module in an unpacked package.
 *
 * @returns Undefined if there is no such folder.
 * @throws SourceError if `..` or a symbolic link leads outside of the package.
 */
export async function folderInPackage(root: string, subfolder: string): Promise<string | undefined> {
  const folder = join(root, subfolder);
  const [realRoot, real] = await Promise.all([realpath(root), realpath(folder).catch(() => undefined)]);
  if (real === undefined) return undefined;
  if (real !== realRoot && !real.startsWith(realRoot + sep)) {
    throw new SourceError(`subdirectory ${JSON.stringify(subfolder)} leads outside of the module package`);
  }
  return (await stat(real)).isDirectory() ? folder : undefined;
}

/**
 * The path of an entry, relative to the folder of its package.
 *
 * @throws SourceError if the name leads outside of the package.
 */
export function pathInPackage(name: string): string {
  const parts = name.split("/");
  if (name.startsWith("/") || name.includes("\\") || name.includes("\0") || /^[A-Za-z]:/.test(name) || parts.includes("..")) {
    throw new SourceError(`the package has the entry ${JSON.stringify(name)}, which leads outside of the module package`);
  }
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}
