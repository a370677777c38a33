// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** Where sources are read from: a disk, memory, or what an editor has open over what is on the disk. */
export interface FileSystem {
  /** The bytes or text of a file; undefined if there is no such file, or it cannot be read. */
  read(path: string): string | Uint8Array | undefined;
  /** The names of the files in a folder, without those of folders in it, sorted; undefined if there is no such folder. */
  list(folder: string): readonly string[] | undefined;
}

/** The files of this machine; relative paths start from the current folder. */
export const diskFiles: FileSystem = {
  read(path) {
    try {
      return readFileSync(path);
    } catch (error) {
      if (isSystemError(error)) return undefined;
      throw error;
    }
  },
  list(folder) {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      return entries
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => name)
        .sort();
    } catch (error) {
      if (isSystemError(error)) return undefined;
      throw error;
    }
  },
};

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/**
 * Files that are only in memory, by their paths, with `/` between folders. A map that changes later is read as it is then.
 *
 * @param over where files that are not in the map are looked for; default nowhere.
 *
 * @example
 * loadFiles(["main.tf"], memoryFiles(new Map([["main.tf", "a = 1\n"]])))
 */
export function memoryFiles(files: ReadonlyMap<string, string | Uint8Array>, over?: FileSystem): FileSystem {
  const find = (path: string): string | Uint8Array | undefined => {
    const wanted = posix.normalize(path);
    return files.get(path) ?? [...files].find(([name]) => posix.normalize(name) === wanted)?.[1];
  };
  return {
    read: (path) => find(path) ?? over?.read(path),
    list(folder) {
      const within = posix.join(folder, "/");
      const names = new Set(over?.list(folder));
      let isThere = over?.list(folder) !== undefined;
      for (const path of files.keys()) {
        const normal = posix.normalize(path);
        const rest = within === "./" ? normal : normal.startsWith(within) ? normal.slice(within.length) : undefined;
        if (rest === undefined || rest.startsWith("/") || rest.startsWith("../")) continue;
        isThere = true;
        if (!rest.includes("/")) names.add(rest);
      }
      return isThere ? [...names].sort() : undefined;
    },
  };
}
