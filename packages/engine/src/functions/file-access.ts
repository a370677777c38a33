// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { posix } from "node:path";

/** The kind of the file at a path, after following symbolic links. */
export type FileKind = "file" | "directory" | "device" | "pipe" | "socket" | "other";

/** The files that functions read. Paths are absolute, or relative to the working directory. All methods follow symbolic links. */
export interface FileAccess {
  /**
   * Reads a file.
   *
   * @throws Error with a `code` as in Node.js (`ENOENT`, `EACCES`, `EISDIR`, …) if the file cannot be read.
   */
  read(path: string): Uint8Array;
  /**
   * Returns the kind of the file at a path; undefined if there is no file.
   *
   * @throws Error with a `code` as in Node.js for any other error.
   */
  kindOf(path: string): FileKind | undefined;
  /** Returns the names in a folder; empty if the folder cannot be read. */
  list(folder: string): readonly string[];
  /**
   * Returns the absolute path of a file without symbolic links; undefined if there is no file. Needed only where files can be links, so that
   * {@link filesBelow} can refuse links that lead out of its folders.
   */
  realPath?(path: string): string | undefined;
}

/** The files of this machine. */
export const diskAccess: FileAccess = {
  read: (path) => readFileSync(path),
  kindOf(path) {
    const status = statSync(path, { throwIfNoEntry: false });
    return status && kindOfStatus(status);
  },
  list(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  realPath(path) {
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  },
};

function kindOfStatus(status: Stats): FileKind {
  if (status.isFile()) return "file";
  if (status.isDirectory()) return "directory";
  if (status.isBlockDevice() || status.isCharacterDevice()) return "device";
  if (status.isFIFO()) return "pipe";
  return status.isSocket() ? "socket" : "other";
}

/** The error for a file that {@link filesBelow} does not allow functions to read. Its message does not have the path. */
export class FileForbiddenError extends Error {
  override readonly name = "FileForbiddenError";
  readonly code = "FORBIDDEN";
  /** Whether the path itself is below the folders, but a symbolic link leads out of them. */
  readonly isLink: boolean;

  constructor(message: string, isLink: boolean) {
    super(message);
    this.isLink = isLink;
  }
}

/**
 * Restricts functions to the files below some folders. Paths outside of them are rejected before anything is read, and so are symbolic links
 * that lead out of the folders.
 *
 * @param folders Paths that are absolute, or relative to the working directory. A folder may be a link itself.
 */
export function filesBelow(folders: readonly string[], access: FileAccess = diskAccess): FileAccess {
  const roots = folders.map((folder) => posix.resolve(folder));
  const isBelow = (path: string, allowed: readonly string[]): boolean =>
    allowed.some((root) => path === root || path.startsWith(root === "/" ? root : `${root}/`));
  const checked = (path: string): string => {
    const refuse = (isLink: boolean): never => {
      const reason = isLink ? "a symbolic link in the path leads out of them" : "the path is not below them";
      throw new FileForbiddenError(`functions may only read files below ${roots.join(", ")}, and ${reason}`, isLink);
    };
    const resolved = posix.resolve(path);
    if (!isBelow(resolved, roots)) return refuse(false);
    const real = access.realPath?.(resolved);
    // Without a file, there is no link that could lead out of the folders.
    if (real === undefined) return path;
    const realRoots = roots.map((root) => access.realPath!(root) ?? root);
    return isBelow(real, realRoots) ? real : refuse(true);
  };
  return {
    read: (path) => access.read(checked(path)),
    kindOf: (path) => access.kindOf(checked(path)),
    list: (folder) => access.list(checked(folder)),
    ...(access.realPath && { realPath: (path: string) => access.realPath!(checked(path)) }),
  };
}

/** The kind of the file at a path; undefined if there is none, or a symbolic link leads out of the folders of {@link filesBelow}. */
export function reachableKind(path: string, files: FileAccess): FileKind | undefined {
  try {
    return files.kindOf(path);
  } catch (error) {
    if (error instanceof FileForbiddenError && error.isLink) return undefined;
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EISDIR: "is a directory",
  ENOTDIR: "not a directory",
  ELOOP: "too many levels of symbolic links",
  ENAMETOOLONG: "file name too long",
  EMFILE: "too many open files",
  EIO: "input/output error",
};

/** The `code` of a system error; undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The text of a system error, in Go's wording. */
export function systemErrorText(error: unknown): string {
  const code = systemErrorCode(error);
  if (code !== undefined && Object.hasOwn(reasons, code)) return reasons[code]!;
  return error instanceof Error ? error.message : String(error);
}
