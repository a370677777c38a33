// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";

/** Of what a write says when there is no room. Errors of opening, renaming and the like name a path. */
const noRoom: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** The error for what cannot be written; any other error as it is. */
export function asCacheFailure(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const isOfFiles = "syscall" in error && ("path" in error || noRoom.has(error.code));
  return isOfFiles ? new PluginHostError("CACHE_FAILED", `${what} cannot be written: ${error.message}`, { cause: error }) : error;
}
