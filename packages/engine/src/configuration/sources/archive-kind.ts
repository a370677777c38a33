// SPDX-License-Identifier: Apache-2.0
import { SourceError } from "./source-error.ts";

/** A kind of archive that packages can have. */
export type ArchiveKind = "zip" | "tar" | "tar.gz";

const kinds: Readonly<Record<string, ArchiveKind>> = { zip: "zip", tar: "tar", "tar.gz": "tar.gz", tgz: "tar.gz" };

/**
 * Determines the kind of archive that an address names: by the argument `archive`, or else by the extension of the path.
 *
 * @returns The address without the argument, and the kind: false if the argument says that there is no archive, undefined if neither the
 *   argument nor the extension says anything.
 * @throws SourceError for kinds of archives that cannot be unpacked.
 * @see go-getter Client.Get
 */
export function archiveKindOf(url: URL): { readonly url: URL; readonly kind: ArchiveKind | false | undefined } {
  const bare = new URL(url);
  bare.searchParams.delete("archive");
  const named = url.searchParams.get("archive") ?? /\.(zip|tar(\.[a-z0-9]+)?|t[a-z]?[bgx]z2?|bz2|gz|xz)$/.exec(url.pathname)?.[1];
  if (named === undefined || named === "") return { url: bare, kind: undefined };
  if (["0", "f", "F", "false", "FALSE", "False"].includes(named)) return { url: bare, kind: false };
  const kind = Object.hasOwn(kinds, named) ? kinds[named] : undefined;
  if (kind === undefined) throw new SourceError(`archives of the kind ${JSON.stringify(named)} are not supported: use zip, tar or tar.gz`);
  return { url: bare, kind };
}
