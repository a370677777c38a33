// SPDX-License-Identifier: Apache-2.0

/** A position on each side; absent where the element is on the other side only. */
export interface AlignedPair {
  readonly before?: number;
  readonly after?: number;
}

/** More cells than this are not worth the memory: the lists then count as different where they do not begin or end alike. */
const largestTable = 1 << 24;

/**
 * How the elements of two lists correspond: what is the same on both sides in the same order stays (a longest common subsequence),
 * the rest goes or comes. Where something goes or comes and `comparable` says so of the two elements that are at hand, they are one
 * element that changed.
 *
 * Which of several longest common subsequences is taken, and that an element which comes before one that stays takes its place if
 * they are comparable, is as the cores have it: lists of objects are mostly thought of by position.
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
  const atHand = (): boolean => i < before.length && j < after.length && comparable(before[i]!, after[j]!);
  const upTo = (isStaying: (element: Element) => boolean): void => {
    while (i < before.length && !isStaying(before[i]!)) {
      if (atHand() && !isStaying(after[j]!)) pairs.push({ before: i++, after: j++ });
      else pairs.push({ before: i++ });
    }
    while (j < after.length && !isStaying(after[j]!)) pairs.push(atHand() ? { before: i++, after: j++ } : { after: j++ });
  };
  for (const staying of commonSubsequence(before, after, equal)) {
    upTo((element) => equal(element, staying));
    pairs.push({ ...(i < before.length ? { before: i } : {}), ...(j < after.length ? { after: j } : {}) });
    i++;
    j++;
  }
  upTo(() => false);
  return pairs;
}

/** A longest common subsequence; what both lists end with is in it. */
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
      : tabled(before.slice(start, endBefore), after.slice(start, endAfter), equal);
  return [...before.slice(0, start), ...middle, ...before.slice(endBefore)];
}

function tabled<Element>(before: readonly Element[], after: readonly Element[], equal: (a: Element, b: Element) => boolean): Element[] {
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
