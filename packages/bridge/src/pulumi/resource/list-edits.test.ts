// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { listEdits } from "./list-edits.ts";

const edits = (before: string, after: string): readonly [removed: readonly number[], added: readonly number[]] => {
  const { removed, added } = listEdits([...before], [...after], (left, right) => left === right);
  return [[...removed], [...added]];
};

describe("listEdits", () => {
  test("finds the fewest edits, and removes before it adds", ({ expect }) => {
    expect(edits("abc", "abc")).toEqual([[], []]);
    expect(edits("bc", "abc")).toEqual([[], [0]]);
    expect(edits("abc", "cab")).toEqual([[2], [0]]);
    expect(edits("abc", "axc")).toEqual([[1], [1]]);
    expect(edits("", "ab")).toEqual([[], [0, 1]]);
    expect(edits("ab", "")).toEqual([[0, 1], []]);
  });

  test("turns one list into the other with as few edits as any common subsequence allows", ({ expect }) => {
    const lists = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const { removed, added } = listEdits(before, after, (left, right) => left === right);
        const kept = before.filter((_, index) => !removed.has(index));
        expect(after.filter((_, index) => !added.has(index))).toEqual(kept);
        expect(kept.length).toBe(longestCommon(before, after));
      }),
    );
  });
});

/** Length of the longest common subsequence, by trying all of one list. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  let longest = 0;
  for (let mask = 0; mask < 1 << left.length; mask += 1) {
    const chosen = left.filter((_, index) => (mask >> index) & 1);
    let at = 0;
    for (const element of right) if (element === chosen[at]) at += 1;
    if (at === chosen.length) longest = Math.max(longest, at);
  }
  return longest;
}
