// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { diskAccess, type FileAccess } from "./file-access.ts";

/** A version of OpenTofu, as far as its functions differ. `1.13` has `convert` and the twelve functions `assume…` in addition. */
export type FunctionVersion = "1.12" | "1.13";

/** Everything that functions depend on besides their arguments. Functions do not access the process in any other way. */
export interface FunctionEnvironment {
  /** The current time, for `timestamp`. */
  readonly now: () => Date;
  /** Random bytes, for `uuid` and the salt of `bcrypt`. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** The files that functions may read. */
  readonly files: FileAccess;
  /** The base of relative paths in file functions: the root module's folder, absolute or relative to the working directory. */
  readonly baseDirectory: string;
  /** The absolute base of relative paths in `abspath`. */
  readonly workingDirectory: string;
  /** The folder that replaces a leading `~`; undefined if there is none. */
  readonly homeDirectory: string | undefined;
  /** Maximum recursion depth of `templatefile`. OpenTofu's default is 1024 (`TF_TEMPLATE_RECURSION_DEPTH`). */
  readonly maxTemplateDepth: number;
  /** The version of OpenTofu whose functions exist. The functions of `1.13` are those of a version before its release. */
  readonly version: FunctionVersion;
}

/** Returns the environment of this process, with its clock, random numbers and files. */
export function processEnvironment(): FunctionEnvironment {
  return {
    now: () => new Date(),
    randomBytes: (count) => randomBytes(count),
    files: diskAccess,
    baseDirectory: ".",
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
    maxTemplateDepth: 1024,
    version: "1.12",
  };
}
