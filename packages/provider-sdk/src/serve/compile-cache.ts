// SPDX-License-Identifier: Apache-2.0
import { lstatSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** Permissions of the group and of others. */
const others = 0o077;
const writableByOthers = 0o022;

/**
 * Makes Node store compiled code for the next start, in `tenon/compile-cache` in the user's cache folder (`XDG_CACHE_HOME`, otherwise
 * `~/.cache`). Node runs the code in the cache, so a folder to which other users have access is not used; then there is no cache.
 *
 * `NODE_COMPILE_CACHE` names another folder, which Node itself uses from its start. `NODE_DISABLE_COMPILE_CACHE` disables the cache.
 */
export function enableCompileCache(environment: Readonly<NodeJS.ProcessEnv> = process.env): void {
  if (environment["NODE_COMPILE_CACHE"] || environment["NODE_DISABLE_COMPILE_CACHE"]) return;
  const folder = privateCacheFolder(environment);
  // `getBuiltinModule`, because an import would be loaded before the handshake line.
  if (folder !== undefined) process.getBuiltinModule("node:module").enableCompileCache(folder);
}

/** Returns the cache folder, and creates it if it is missing; undefined if other users have access to it, or if it cannot be created. */
export function privateCacheFolder(environment: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const configured = environment["XDG_CACHE_HOME"];
  const home = environment["HOME"] || homedir();
  const base = configured !== undefined && isAbsolute(configured) ? configured : join(home, ".cache");
  const folder = join(base, "tenon", "compile-cache");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Write permission for a parent folder is enough to replace the cache folder.
    const above = [base, dirname(folder)].map((path) => lstatSync(path));
    const isAboveSafe = above.every((found) => found.isDirectory() && isOwnedBy(found.uid, user) && (found.mode & writableByOthers) === 0);
    const found = lstatSync(folder);
    return isAboveSafe && found.isDirectory() && found.uid === user && (found.mode & others) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isOwnedBy(owner: number, user: number): boolean {
  return owner === user || owner === 0;
}
