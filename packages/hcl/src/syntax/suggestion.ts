// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";

const furthest = 2;

/** ` Did you mean "name"?` for the first of the names that is at most two edits from what was written; otherwise nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const letters = Array.from(given);
  for (const name of names) if (distance(letters, Array.from(name)) <= furthest) return ` Did you mean ${goQuote(name)}?`;
  return "";
}

/** Levenshtein's: how many letters must be inserted, deleted or replaced. Beyond `furthest` it is only known to be beyond. */
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
