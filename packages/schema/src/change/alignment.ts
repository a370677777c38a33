// SPDX-License-Identifier: Apache-2.0

/** A position on each side; absent where the element is on the other side only. */
export interface AlignedPair {
  readonly before?: number;
  readonly after?: number;
}

/**
 * How the elements of two lists correspond: what is the same on both sides in the same order stays (a longest common subsequence),
 * the rest goes or comes. Where something goes and something comes at one place, and `comparable` says so, the two are one element
 * that changed.
 */
export function alignedPairs<Element>(
  before: readonly Element[],
  after: readonly Element[],
  equal: (a: Element, b: Element) => boolean,
  comparable: (a: Element, b: Element) => boolean,
): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  let i = 0;
  let j = 0;
  const upTo = (endBefore: number, endAfter: number): void => {
    while (i < endBefore) {
      if (j < endAfter && comparable(before[i]!, after[j]!)) pairs.push({ before: i++, after: j++ });
      else pairs.push({ before: i++ });
    }
    while (j < endAfter) pairs.push({ after: j++ });
  };
  for (const [nextBefore, nextAfter] of commonSubsequence(before, after, equal)) {
    upTo(nextBefore, nextAfter);
    pairs.push({ before: i++, after: j++ });
  }
  upTo(before.length, after.length);
  return pairs;
}

/** Positions of a longest common subsequence on both sides; what the two begin and end with alike is in it. */
function commonSubsequence<Element>(
  before: readonly Element[],
  after: readonly Element[],
  equal: (a: Element, b: Element) => boolean,
): [number, number][] {
  let start = 0;
  while (start < before.length && start < after.length && equal(before[start]!, after[start]!)) start++;
  let endBefore = before.length;
  let endAfter = after.length;
  while (endBefore > start && endAfter > start && equal(before[endBefore - 1]!, after[endAfter - 1]!)) {
    endBefore--;
    endAfter--;
  }
  const result: [number, number][] = Array.from({ length: start }, (_, index) => [index, index]);
  result.push(...middle(before, after, start, endBefore, endAfter, equal));
  for (let index = 0; endBefore + index < before.length; index++) result.push([endBefore + index, endAfter + index]);
  return result;
}

function middle<Element>(
  before: readonly Element[],
  after: readonly Element[],
  start: number,
  endBefore: number,
  endAfter: number,
  equal: (a: Element, b: Element) => boolean,
): [number, number][] {
  const width = endAfter - start + 1;
  // Row i, column j: the length of the longest common subsequence of what follows both positions.
  const lengths = new Uint32Array((endBefore - start + 1) * width);
  const at = (i: number, j: number): number => (i - start) * width + (j - start);
  for (let i = endBefore - 1; i >= start; i--) {
    for (let j = endAfter - 1; j >= start; j--) {
      lengths[at(i, j)] = equal(before[i]!, after[j]!)
        ? lengths[at(i + 1, j + 1)]! + 1
        : Math.max(lengths[at(i + 1, j)]!, lengths[at(i, j + 1)]!);
    }
  }
  const result: [number, number][] = [];
  let i = start;
  let j = start;
  while (i < endBefore && j < endAfter) {
    if (equal(before[i]!, after[j]!)) result.push([i++, j++]);
    else if (lengths[at(i + 1, j)]! >= lengths[at(i, j + 1)]!) i++;
    else j++;
  }
  return result;
}
