// SPDX-License-Identifier: Apache-2.0
import { goString, same, type Value } from "@tenon/cty";
import { partsOf } from "../model/value-parts.ts";
import type { Finding } from "./finding.ts";

/**
 * Elements of a planned and an actual set that nothing on the other side corresponds to. One element may correspond to several:
 * unknown elements can turn out equal.
 *
 * @see OpenTofu objchange assertSetValuesCompatible
 */
export function uncorrelated(planned: Value, actual: Value, correspond: (planned: Value, actual: Value) => boolean): Finding[] {
  if (same(planned, actual)) return [];
  const before = partsOf(planned).map((part) => part.value);
  const after = partsOf(actual).map((part) => part.value);
  const found = new Set<Value>();
  const lost = before.filter((element) => {
    const matches = after.filter((candidate) => correspond(element, candidate));
    for (const match of matches) found.add(match);
    return matches.length === 0;
  });
  // Both sides of one disagreement would be one too many.
  if (lost.length > 0) {
    return lost.map((element) => ({
      path: [],
      message: () => `planned set element ${goString(element)} does not correlate with any element in actual`,
    }));
  }
  return after
    .filter((element) => !found.has(element))
    .map((element) => ({ path: [], message: () => `actual set element ${goString(element)} does not correlate with any element in plan` }));
}
