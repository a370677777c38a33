// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { alignedPairs } from "./alignment.ts";

/** Aligns letters, of which capitals are comparable. Signs of the result: `=` kept, `~` changed, `-` deleted, `+` created. */
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
  // Of several longest common subsequences, the cores choose the one found from the end.
  ["tf", "ftf", "+f =t =f"],
  ["abab", "ba", "-a =b =a -b"],
  ["ftf", "tff", "-f =t =f +f"],
  ["xy", "yx", "-x =y +x"],
  ["AB", "CD", "~AC ~BD"],
  ["aB", "aCd", "=a ~BC +d"],
  // A created element before a kept one is paired with it where the two are comparable.
  ["A", "BA", "~AB +A"],
] as const)("aligns %j with %j", ([before, after, expected], { expect }) => {
  expect(aligned(before, after)).toBe(expected);
});

test("aligns long lists with a common beginning and end", ({ expect }) => {
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
