// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, same, type Value } from "@tenon/cty";
import { withoutRefinements } from "../model/unknown-parts.ts";

/** Whether two values are equal apart from the refinements of unknown values. */
export function sameButRefinements(a: Value, b: Value): boolean {
  if (same(a, b)) return true;
  if (a.type !== b.type || isWhollyKnown(a) || isWhollyKnown(b)) return false;
  return same(withoutRefinements(a), withoutRefinements(b));
}
