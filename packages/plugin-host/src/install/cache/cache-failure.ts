// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";

/** Codes of errors of a write to an open file, which have no path. */
const writeErrors: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** Converts an error of the file system to a `CACHE_FAILED` error. Returns any other error unchanged. */
export function asCacheFailure(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const isOfFileSystem = "syscall" in error && ("path" in error || writeErrors.has(error.code));
  return isOfFileSystem ? new PluginHostError("CACHE_FAILED", `${what} cannot be written: ${error.message}`, { cause: error }) : error;
}
