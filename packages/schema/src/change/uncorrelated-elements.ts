// SPDX-License-Identifier: Apache-2.0
import { goString, same, type Value } from "@tenon/cty";
import { partsOf } from "../model/value-parts.ts";
import type { LazyViolation } from "./lazy-violation.ts";

/**
 * Returns the elements of a planned and an actual set that correlate with no element of the other set. One element may correlate with
 * several, since unknown elements may turn out equal.
 *
 * @see OpenTofu objchange assertSetValuesCompatible
 */
export function uncorrelated(planned: Value, actual: Value, correlate: (planned: Value, actual: Value) => boolean): LazyViolation[] {
  if (same(planned, actual)) return [];
  const before = partsOf(planned).map((part) => part.value);
  const after = partsOf(actual).map((part) => part.value);
  const matched = new Set<Value>();
  const unmatched = before.filter((element) => {
    const matches = after.filter((candidate) => correlate(element, candidate));
    for (const match of matches) matched.add(match);
    return matches.length === 0;
  });
  // Reporting both sets would report each disagreement twice.
  if (unmatched.length > 0) {
    return unmatched.map((element) => ({
      path: [],
      message: () => `planned set element ${goString(element)} does not correlate with any element in actual`,
    }));
  }
  return after
    .filter((element) => !matched.has(element))
    .map((element) => ({ path: [], message: () => `actual set element ${goString(element)} does not correlate with any element in plan` }));
}
