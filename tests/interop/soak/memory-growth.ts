// SPDX-License-Identifier: Apache-2.0

/**
 * Returns by what share a measured quantity has grown from the second quarter of a run to its last quarter: 0.05 for 5 %. The first quarter, in which
 * caches fill, does not count. Medians are compared, so that single samples do not matter.
 */
export function growthOf(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  if (quarter === 0) throw new RangeError(`a growth needs at least 4 samples, and there are ${samples.length}`);
  return median(samples.slice(-quarter)) / median(samples.slice(quarter, 2 * quarter)) - 1;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
