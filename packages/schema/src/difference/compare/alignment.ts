// SPDX-License-Identifier: Apache-2.0

/** Positions of one element before and after; absent where the element is on the other side only. */
export interface AlignedPair {
  readonly before?: number;
  readonly after?: number;
}

/** Maximum number of table cells. Longer lists are only compared at their beginning and their end. */
const largestTable = 1 << 24;

/**
 * Aligns the elements of two lists. A longest common subsequence is kept; other elements are deleted or created. A deleted and a created
 * element at the same place are one changed element if `comparable` returns true.
 * The choice among several longest common subsequences is that of the cores. So is the pairing of comparable elements before a kept one,
 * which follows the position, as readers of a list of objects expect.
 *
 * @see OpenTofu internal/command/jsonformat/collections ProcessSlice
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
  const isChanged = (): boolean => i < before.length && j < after.length && comparable(before[i]!, after[j]!);
  const advanceTo = (isKept: (element: Element) => boolean): void => {
    while (i < before.length && !isKept(before[i]!)) {
      if (isChanged() && !isKept(after[j]!)) pairs.push({ before: i++, after: j++ });
      else pairs.push({ before: i++ });
    }
    while (j < after.length && !isKept(after[j]!)) pairs.push(isChanged() ? { before: i++, after: j++ } : { after: j++ });
  };
  for (const kept of commonSubsequence(before, after, equal)) {
    advanceTo((element) => equal(element, kept));
    pairs.push({ ...(i < before.length ? { before: i } : {}), ...(j < after.length ? { after: j } : {}) });
    i++;
    j++;
  }
  advanceTo(() => false);
  return pairs;
}

/** Returns a longest common subsequence. It contains the common end of both lists. */
function commonSubsequence<Element>(
  before: readonly Element[],
  after: readonly Element[],
  equal: (a: Element, b: Element) => boolean,
): Element[] {
  let endBefore = before.length;
  let endAfter = after.length;
  while (endBefore > 0 && endAfter > 0 && equal(before[endBefore - 1]!, after[endAfter - 1]!)) {
    endBefore--;
    endAfter--;
  }
  let start = 0;
  if (endBefore * endAfter > largestTable) while (start < endBefore && start < endAfter && equal(before[start]!, after[start]!)) start++;
  const middle =
    (endBefore - start) * (endAfter - start) > largestTable
      ? []
      : longestCommonSubsequence(before.slice(start, endBefore), after.slice(start, endAfter), equal);
  return [...before.slice(0, start), ...middle, ...before.slice(endBefore)];
}

function longestCommonSubsequence<Element>(
  before: readonly Element[],
  after: readonly Element[],
  equal: (a: Element, b: Element) => boolean,
): Element[] {
  const width = before.length + 1;
  // At row j, column i: the length of the longest common subsequence of the first i and the first j elements.
  const lengths = new Uint32Array(width * (after.length + 1));
  const same = new Uint8Array(lengths.length);
  for (let j = 1; j <= after.length; j++) {
    for (let i = 1; i <= before.length; i++) {
      const here = j * width + i;
      if (equal(before[i - 1]!, after[j - 1]!)) {
        same[here] = 1;
        lengths[here] = lengths[here - width - 1]! + 1;
      } else {
        lengths[here] = Math.max(lengths[here - 1]!, lengths[here - width]!);
      }
    }
  }
  const result: Element[] = [];
  let i = before.length;
  let j = after.length;
  while (i > 0 && j > 0) {
    const here = j * width + i;
    if (same[here]) {
      result.push(before[--i]!);
      j--;
    } else if (lengths[here - 1]! > lengths[here - width]!) i--;
    else j--;
  }
  return result.toReversed();
}
