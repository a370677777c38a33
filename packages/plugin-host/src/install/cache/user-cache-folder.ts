// SPDX-License-Identifier: Apache-2.0
import { homedir } from "node:os";
import { join } from "node:path";

/** Returns a folder in the user's cache folder: `$XDG_CACHE_HOME/tenon/<name>`, on Windows `%LOCALAPPDATA%\\tenon\\<name>`. */
export function userCacheFolder(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const base = process.platform === "win32" ? environment["LOCALAPPDATA"] : environment["XDG_CACHE_HOME"];
  return join(base || join(environment["HOME"] || homedir(), ".cache"), "tenon", name);
}
