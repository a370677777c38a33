// SPDX-License-Identifier: Apache-2.0
import { goString, isWhollyKnown, number, of, refine, unknown, type Value } from "@tenon/cty";
import { isUnknownPayload, type CollectionLength } from "@tenon/cty/unstable/payload";
import { countOf } from "../model/value-parts.ts";

/** Whether two lists, tuples or maps certainly have the same number of elements. */
export function haveSameCount(a: Value, b: Value): boolean {
  return !isUnknownPayload(a.payload) && !isUnknownPayload(b.payload) && countOf(a) === countOf(b);
}

/** Whether two sets may have the same number of elements. Unknown elements may turn out equal to others. */
export function mayHaveSameCount(a: Value, b: Value): boolean {
  const [minA, maxA] = countBounds(a);
  const [minB, maxB] = countBounds(b);
  return minA <= maxB && minB <= maxA;
}

/** Returns the number of elements of a value in Go's notation; a range where elements are unknown. */
export function countText(value: Value): string {
  const [min, max] = countBounds(value);
  if (min === max) return goString(of(number, min));
  return goString(refine(unknown(number), { notNull: true, min, max: max === Number.POSITIVE_INFINITY ? largestLength : max }));
}

/** Largest length in Go: its largest int. */
const largestLength = 2n ** 63n - 1n;

function countBounds(value: Value): readonly [CollectionLength, CollectionLength] {
  const { payload } = value;
  if (isUnknownPayload(payload)) return [payload.refinement?.lengthMin ?? 0, payload.refinement?.lengthMax ?? Number.POSITIVE_INFINITY];
  const count = countOf(value);
  return [value.type.kind === "set" && !isWhollyKnown(value) ? Math.min(count, 1) : count, count];
}
