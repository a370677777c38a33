// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";

const furthest = 2;

/** The first name within an edit distance of 2 from the given name, to be suggested in a diagnostic; undefined if there is none. */
export function similarName(given: string, names: Iterable<string>): string | undefined {
  const letters = Array.from(given);
  for (const name of names) if (distance(letters, Array.from(name)) <= furthest) return name;
  return undefined;
}

/**
 * The nearest name within an edit distance of 2 from the given name, and the first of those that are equally near; undefined if there is none.
 * It is for names without an order: the Go library takes any of them within that distance.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const letters = Array.from(given);
  let [nearest, least]: [string | undefined, number] = [undefined, furthest + 1];
  for (const name of names) {
    const far = distance(letters, Array.from(name));
    if (far < least) [nearest, least] = [name, far];
  }
  return nearest;
}

/** ` Did you mean "name"?` for a name; for undefined, the empty string. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? "" : ` Did you mean ${goQuote(name)}?`;
}

/** Levenshtein distance, exact up to `furthest` and larger than `furthest` beyond. */
function distance(a: readonly string[], b: readonly string[]): number {
  if (Math.abs(a.length - b.length) > furthest) return furthest + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of a.entries()) {
    const next = [index + 1];
    for (const [column, other] of b.entries()) {
      next.push(Math.min(next[column]! + 1, row[column + 1]! + 1, row[column]! + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
