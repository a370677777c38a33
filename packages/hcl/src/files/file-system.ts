// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** A source of files: the disk, memory, or open files of an editor with the disk as a fallback. */
export interface FileSystem {
  /** Content of a file; undefined if it does not exist or cannot be read. */
  read(path: string): string | Uint8Array | undefined;
  /** Sorted names of the files directly in a folder; undefined if the folder does not exist. */
  list(folder: string): readonly string[] | undefined;
}

/** The files on disk. Relative paths start at the current folder. */
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
 * Files in memory, by their paths with `/` as the separator. Later changes of the map take effect.
 *
 * @param over Fallback for files that are not in the map. Default: none.
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
      let exists = over?.list(folder) !== undefined;
      for (const path of files.keys()) {
        const normal = posix.normalize(path);
        const rest = within === "./" ? normal : normal.startsWith(within) ? normal.slice(within.length) : undefined;
        if (rest === undefined || rest.startsWith("/") || rest.startsWith("../")) continue;
        exists = true;
        if (!rest.includes("/")) names.add(rest);
      }
      return exists ? [...names].sort() : undefined;
    },
  };
}
