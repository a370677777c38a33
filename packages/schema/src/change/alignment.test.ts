// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { alignedPairs } from "./alignment.ts";

/** Letters as elements; capitals can be compared with each other. One sign an element: = stays, ~ changes, - goes, + comes. */
function aligned(before: string, after: string): string {
  const isCapital = (letter: string): boolean => letter >= "A" && letter <= "Z";
  const pairs = alignedPairs(
    [...before],
    [...after],
    (a, b) => a === b,
    (a, b) => isCapital(a) && isCapital(b),
  );
  return pairs
    .map((pair) => {
      const [old, now] = [
        pair.before === undefined ? undefined : before[pair.before],
        pair.after === undefined ? undefined : after[pair.after],
      ];
      if (old === undefined) return `+${now!}`;
      if (now === undefined) return `-${old}`;
      return old === now ? `=${old}` : `~${old}${now}`;
    })
    .join(" ");
}

test.for([
  ["", "", ""],
  ["abc", "abc", "=a =b =c"],
  ["abc", "ac", "=a -b =c"],
  ["ac", "abc", "=a +b =c"],
  ["abcd", "abxd", "=a =b -c +x =d"],
  // Of two ways to say it, the one the cores choose: what is common is sought from the end.
  ["tf", "ftf", "+f =t =f"],
  ["abab", "ba", "-a =b =a -b"],
  ["ftf", "tff", "-f =t =f +f"],
  ["xy", "yx", "-x =y +x"],
  ["AB", "CD", "~AC ~BD"],
  ["aB", "aCd", "=a ~BC +d"],
  // What comes before an element that stays takes its place, where the two can be compared.
  ["A", "BA", "~AB +A"],
] as const)("%s to %s", ([before, after, expected], { expect }) => {
  expect(aligned(before, after)).toBe(expected);
});

test("long lists that begin and end alike are no trouble", ({ expect }) => {
  const before = Array.from({ length: 20_000 }, (_, index) => index);
  const after = before.toSpliced(10_000, 1);
  const pairs = alignedPairs(
    before,
    after,
    (a, b) => a === b,
    () => false,
  );
  expect(pairs.filter((pair) => pair.after === undefined)).toEqual([{ before: 10_000 }]);
  expect(pairs).toHaveLength(20_000);
});
