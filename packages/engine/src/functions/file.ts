// SPDX-License-Identifier: Apache-2.0
// The functions that read files.
import { isUtf8 } from "node:buffer";
import { posix } from "node:path";
import { bool, CtyError, of, set, setOf, string, unmark, withMarks, type Mark } from "@tenon/cty";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";
import { redacted } from "../marks/value-marks.ts";
import type { FunctionEnvironment } from "./environment.ts";
import { reachableKind, systemErrorCode, systemErrorText, type FileKind } from "./file-access.ts";
import { glob, PatternSyntaxError, relativePath } from "./glob.ts";
import { digestOf, type Digest } from "./hash.ts";
import { cleanPath, filePath } from "./path.ts";

type Files = Pick<FunctionEnvironment, "files" | "baseDirectory" | "homeDirectory">;

const notNull = { notNull: true } as const;
const markedPath = { name: "path", type: string, allowMarked: true } as const;

/**
 * Reads a file that a function names.
 *
 * @throws FunctionError of argument 0, in OpenTofu's wording. It does not show a sensitive or ephemeral path.
 */
export function readNamedFile(path: string, environment: Files, marks: ReadonlySet<Mark>): Uint8Array {
  const resolved = filePath(path, environment);
  try {
    return environment.files.read(resolved);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT") {
      throw argumentError(
        0,
        `no file exists at ${redacted(goQuote(path), marks)}; this function works only with files that are distributed as part of the configuration source code, so if this file will be created by a resource in this configuration you must instead obtain this result from an attribute of that resource`,
      );
    }
    const shown = redacted(resolved, marks);
    const text = systemErrorText(error);
    throw argumentError(0, code === "EISDIR" ? `failed to read file: read ${shown}: ${text}` : `open ${shown}: ${text}`);
  }
}

/**
 * The function `file`: reads the text of a file.
 *
 * @see OpenTofu funcs.MakeFileFunc
 */
export function fileFunction(environment: Files): CtyFunction {
  return defineFunction({
    description: "Reads a file and returns its content as a string.",
    params: [markedPath],
    type: string,
    refineResult: notNull,
    impl: ([path]) => {
      const [plain, marks] = unmark(path);
      return withMarks(of(string, readTextFile(stringOf(plain), environment, marks)), marks);
    },
  });
}

/** Reads the text of a file that a function names. @throws as {@link readNamedFile}, and for a file that is not UTF-8. */
export function readTextFile(path: string, environment: Files, marks: ReadonlySet<Mark>): string {
  const bytes = readNamedFile(path, environment, marks);
  if (!isUtf8(bytes)) {
    throw new CtyError(
      "INVALID_VALUE",
      `contents of ${redacted(goQuote(path), marks)} are not valid UTF-8; use the filebase64 function to obtain the Base64 encoded contents or the other file functions (e.g. filemd5, filesha256) to obtain file hashing results instead`,
    );
  }
  return Buffer.from(bytes).toString("utf8");
}

/**
 * The function `filebase64`: reads a file, and encodes its bytes in Base64.
 *
 * @see OpenTofu funcs.MakeFileFunc
 */
export function fileBase64Function(environment: Files): CtyFunction {
  return defineFunction({
    description: "Reads a file and returns its bytes in Base64.",
    params: [markedPath],
    type: string,
    refineResult: notNull,
    impl: ([path]) => {
      const [plain, marks] = unmark(path);
      const bytes = readNamedFile(stringOf(plain), environment, marks);
      return withMarks(of(string, Buffer.from(bytes).toString("base64")), marks);
    },
  });
}

/**
 * A function that hashes the bytes of a file.
 *
 * @see OpenTofu funcs.makeFileHashFunction
 */
export function fileHashFunction(digest: Digest, environment: Files): CtyFunction {
  return defineFunction({
    description: `Reads a file and returns the ${digest.algorithm.toUpperCase()} digest of its bytes in ${digest.encoding}.`,
    params: [{ name: "path", type: string }],
    type: string,
    refineResult: notNull,
    impl: ([path]) => {
      const resolved = filePath(stringOf(path), environment);
      try {
        return of(string, digestOf(environment.files.read(resolved), digest));
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        const action = code === "EISDIR" ? "read" : "open";
        throw new CtyError("INVALID_VALUE", `${action} ${resolved}: ${systemErrorText(error)}`);
      }
    },
  });
}

/** The ends of the errors about paths that are not regular files. */
const kindTexts: Readonly<Record<FileKind, string>> = {
  file: "is not a regular file",
  directory: "is a directory, not a file",
  device: "is a device node, not a regular file",
  pipe: "is a named pipe, not a regular file",
  socket: "is a unix domain socket, not a regular file",
  other: "is not a regular file",
};

/**
 * The function `fileexists`: whether a regular file is at a path.
 *
 * @see OpenTofu funcs.MakeFileExistsFunc
 */
export function fileExistsFunction(environment: Files): CtyFunction {
  return defineFunction({
    description: "Returns whether a regular file exists at a path.",
    params: [markedPath],
    type: bool,
    refineResult: notNull,
    impl: ([path]) => {
      const [plain, marks] = unmark(path);
      const resolved = filePath(stringOf(plain), environment);
      const shown = redacted(goQuote(resolved), marks);
      let kind: FileKind | undefined;
      try {
        kind = environment.files.kindOf(resolved);
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        throw new CtyError("INVALID_VALUE", `failed to stat ${shown}${code === "FORBIDDEN" ? `: ${systemErrorText(error)}` : ""}`);
      }
      // The function has no argument 1, but OpenTofu's error names it.
      if (kind !== undefined && kind !== "file") throw argumentError(1, `${shown} ${kindTexts[kind]}`);
      return withMarks(of(bool, kind === "file"), marks);
    },
  });
}

/**
 * The function `fileset`: the paths of the regular files below a folder that match a pattern, relative to the folder.
 *
 * @see OpenTofu funcs.MakeFileSetFunc
 */
export function fileSetFunction(environment: Files): CtyFunction {
  return defineFunction({
    description: "Returns the paths of the files in a folder that match a pattern.",
    params: [markedPath, { name: "pattern", type: string, allowMarked: true }],
    type: set(string),
    refineResult: notNull,
    impl: ([pathValue, patternValue]) => {
      const [plainPath, pathMarks] = unmark(pathValue);
      const [plainPattern, patternMarks] = unmark(patternValue);
      const given = stringOf(plainPath);
      const folder = cleanPath(posix.isAbsolute(given) ? given : posix.join(environment.baseDirectory, given));
      const pattern = cleanPath(posix.join(folder, stringOf(plainPattern)));
      try {
        const paths = glob(pattern, environment.files).filter((path) => reachableKind(path, environment.files) === "file");
        const matches = paths.map((path) => of(string, relativePath(folder, path)));
        return withMarks(setOf(matches, string), pathMarks, patternMarks);
      } catch (error) {
        const shown = redacted(goQuote(pattern), pathMarks, patternMarks);
        if (error instanceof PatternSyntaxError) {
          throw new CtyError("INVALID_VALUE", `failed to glob pattern ${shown}: ${error.message}`);
        }
        if (systemErrorCode(error) === undefined) throw error;
        throw new CtyError("INVALID_VALUE", `failed to stat ${shown}: ${systemErrorText(error)}`);
      }
    },
  });
}
