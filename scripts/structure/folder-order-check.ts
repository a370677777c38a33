// SPDX-License-Identifier: Apache-2.0
import type { SourceFile } from "./source-file.ts";

/**
 * Finds the imports that go up in the order of a package's folders, and the files that have no place in that order.
 *
 * A place is a folder (`value`, `server/call`), a file (`provider.ts`), or `"."` for the remaining files of `src` itself; a file
 * belongs to the longest place that contains it. Imports within a place are allowed. A file with
 * re-exports only is an entry point, and may import from every place.
 *
 * @param order - the places of the package, bottom first.
 */
export function importsThatGoUp(files: readonly SourceFile[], order: readonly string[]): readonly string[] {
  const violations: string[] = [];
  const used = new Set<string>();
  for (const { path, imports, onlyReexports } of files) {
    const place = placeOf(path, order);
    if (place === undefined) {
      if (!onlyReexports) violations.push(`${path} has no place in the order of folders`);
      continue;
    }
    used.add(place);
    for (const { target, line } of imports) {
      const targetPlace = placeOf(target, order);
      if (targetPlace === undefined) continue;
      used.add(targetPlace);
      if (onlyReexports || order.indexOf(targetPlace) <= order.indexOf(place)) continue;
      violations.push(`${path}:${line} (${place}) imports ${target} (${targetPlace}), which is further up`);
    }
  }
  for (const place of order) {
    if (!used.has(place)) violations.push(`the order of folders names ${place}, which has no file`);
  }
  return violations;
}

function placeOf(path: string, order: readonly string[]): string | undefined {
  let longest: string | undefined;
  for (const place of order) {
    const contains = place === "." ? !path.includes("/") : path === place || path.startsWith(`${place}/`);
    if (contains && (longest === undefined || longest === "." || place.length > longest.length)) longest = place;
  }
  return longest;
}
