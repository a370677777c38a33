// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { memoryFiles, type FileSystem } from "@tenon/hcl/files";
import type { FileAccess } from "../functions/file-access.ts";

/**
 * A source of configuration files, such as `diskFiles` and `memoryFiles` of `@tenon/hcl/files`. Asynchronous sources, such as an object
 * store, return promises.
 */
export interface ConfigurationFiles {
  /** The bytes or text of a file; undefined if there is no such file, or it cannot be read. */
  read(path: string): MaybePromise<string | Uint8Array | undefined>;
  /** The sorted names of the files in a folder, without subfolders; undefined if there is no such folder. */
  list(folder: string): MaybePromise<readonly string[] | undefined>;
  /** The names of the subfolders of a folder, for the function `fileset`; undefined if there is no such folder. Default: there are none. */
  folders?(folder: string): MaybePromise<readonly string[] | undefined>;
}

/** A result, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** The content of a `.tf.json` file as a plain JavaScript object. */
export type ConfigurationObject = Readonly<Record<string, unknown>>;

/**
 * Returns files in memory. The content of a `.tf.json` file can be an object instead of JSON text.
 *
 * @param files The content of each file by path, with `/` between folders.
 * @param over The source of all other files. Default: there are no other files.
 *
 * @example
 * const { configuration } = await loadConfiguration({
 *   files: objectFiles({ "main.tf.json": { output: { greeting: { value: "Hello" } } } }),
 * });
 */
export function objectFiles(
  files: Readonly<Record<string, string | Uint8Array | ConfigurationObject>>,
  over?: FileSystem,
): FileSystem & { folders(folder: string): readonly string[] } {
  const texts = Object.entries(files).map(([path, content]): [string, string | Uint8Array] => [
    path,
    typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content, undefined, 2),
  ]);
  const paths = texts.map(([path]) => posix.normalize(path));
  return { ...memoryFiles(new Map(texts), over), folders: (folder) => foldersIn(paths, folder) };
}

function foldersIn(paths: readonly string[], folder: string): readonly string[] {
  const within = posix.join(folder, "/");
  const rests = within === "./" ? paths : paths.filter((path) => path.startsWith(within)).map((path) => path.slice(within.length));
  const names = rests.filter((rest) => rest.includes("/")).map((rest) => rest.slice(0, rest.indexOf("/")));
  return [...new Set(names)].filter((name) => name !== "" && name !== "..").sort();
}

/**
 * The files of a configuration, for the functions of the language.
 *
 * Functions read files synchronously. If a source returns promises, each function that reads a file reports an error.
 */
export function functionFiles(files: ConfigurationFiles): FileAccess {
  const synchronous = <T>(result: MaybePromise<T>): T => {
    if (!(result instanceof Promise)) return result;
    result.catch(() => undefined);
    throw new AsynchronousFilesError();
  };
  const isFolder = (path: string): boolean =>
    synchronous(files.list(path)) !== undefined || (synchronous(files.folders?.(posix.dirname(path))) ?? []).includes(posix.basename(path));
  return {
    read(path) {
      const content = synchronous(files.read(path));
      if (content === undefined) {
        const code = isFolder(path) ? "EISDIR" : "ENOENT";
        throw Object.assign(new Error(`${code}: ${path}`), { code });
      }
      return typeof content === "string" ? Buffer.from(content) : content;
    },
    kindOf(path) {
      if (synchronous(files.read(path)) !== undefined) return "file";
      return isFolder(path) ? "directory" : undefined;
    },
    list: (folder) => [...(synchronous(files.list(folder)) ?? []), ...(synchronous(files.folders?.(folder)) ?? [])],
  };
}

/** The error of functions that read files of an asynchronous source. */
class AsynchronousFilesError extends Error {
  readonly code = "ENOSYS";

  constructor() {
    super("functions cannot read the files of this configuration, because they are read asynchronously");
  }
}
