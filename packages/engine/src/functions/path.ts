// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { CtyError, of, string } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import type { FunctionEnvironment } from "./environment.ts";

function ofPath(description: string, change: (path: string) => string): CtyFunction {
  return defineFunction({
    description,
    params: [{ name: "path", type: string }],
    type: string,
    refineResult: { notNull: true },
    impl: ([path]) => of(string, change(stringOf(path))),
  });
}

/**
 * The last part of a path.
 *
 * @see OpenTofu funcs.BasenameFunc, go filepath.Base
 */
export const baseNameFunction: CtyFunction = ofPath("Returns the last part of a path.", (path) => {
  if (path === "") return ".";
  return posix.basename(path) || "/";
});

/**
 * A path without its last part, in canonical form.
 *
 * @see OpenTofu funcs.DirnameFunc, go filepath.Dir
 */
export const directoryNameFunction: CtyFunction = ofPath("Returns a path without its last part.", (path) =>
  cleanPath(path.slice(0, path.lastIndexOf("/") + 1)),
);

/** A path without `.`, `..` and repeated slashes where they can be resolved. @see go filepath.Clean */
export function cleanPath(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

/**
 * A function that makes a path absolute against the working directory.
 *
 * @see OpenTofu funcs.AbsPathFunc
 */
export function absolutePathFunction({ workingDirectory }: Pick<FunctionEnvironment, "workingDirectory">): CtyFunction {
  return ofPath("Makes a path absolute.", (path) => cleanPath(posix.isAbsolute(path) ? path : posix.join(workingDirectory, path)));
}

/**
 * A function that replaces a leading `~` in a path with the home directory.
 *
 * @see OpenTofu funcs.PathExpandFunc
 */
export function pathExpandFunction(environment: Pick<FunctionEnvironment, "homeDirectory">): CtyFunction {
  return ofPath("Replaces a leading ~ in a path with the home directory.", (path) => expandHome(path, environment));
}

/**
 * The path with the home directory in place of a leading `~`.
 *
 * @throws CtyError `INVALID_VALUE` for the home directory of another user, and if there is no home directory.
 * @see go-homedir Expand
 */
export function expandHome(path: string, { homeDirectory }: Pick<FunctionEnvironment, "homeDirectory">): string {
  if (!path.startsWith("~")) return path;
  if (path.length > 1 && path[1] !== "/") throw new CtyError("INVALID_VALUE", "cannot expand user-specific home dir");
  if (homeDirectory === undefined) throw new CtyError("INVALID_VALUE", "the home directory is not known");
  return posix.join(homeDirectory, path.slice(1));
}

/** Resolves the path of a file function: expands `~`, and makes the path relative to the base directory, in canonical form. */
export function filePath(path: string, environment: Pick<FunctionEnvironment, "homeDirectory" | "baseDirectory">): string {
  let expanded: string;
  try {
    expanded = expandHome(path, environment);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError("INVALID_VALUE", `failed to expand ~: ${error.message}`);
  }
  return cleanPath(posix.isAbsolute(expanded) ? expanded : posix.join(environment.baseDirectory, expanded));
}
