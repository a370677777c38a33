// SPDX-License-Identifier: Apache-2.0
import { isValue, same } from "@tenon/cty";
import { LazyMap } from "../../src/wire/schema/lazy-map.ts";

/** Tester for `expect.addEqualityTesters`: compares values with cty's `same`, and a lazy map as a map. */
export function valueEquality(
  this: { equals(left: unknown, right: unknown, testers?: unknown[]): boolean },
  left: unknown,
  right: unknown,
  testers: unknown[],
): boolean | undefined {
  if (isValue(left) && isValue(right)) return left.type === right.type && same(left, right);
  if (left instanceof LazyMap) return this.equals(new Map(left), right, testers);
  if (right instanceof LazyMap) return this.equals(left, new Map(right), testers);
  return undefined;
}
