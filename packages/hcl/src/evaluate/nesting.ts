// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { childTypes } from "@tenon/cty/unstable/payload";

/**
 * Maximum nesting depth of a value. Operations on a value recurse into its parts, and each expression could nest the result of
 * the one before it a few hundred levels deeper.
 */
export const maxValueDepth = 1000;

const depths = new WeakMap<Type, number>();

/** Whether values of the type nest deeper than {@link maxValueDepth}. */
export function isTooDeep(type: Type): boolean {
  return depthOf(type, maxValueDepth) > maxValueDepth;
}

/** Nesting depth of values of a type; Infinity where it exceeds `allowed`. Types without parts have depth 0. */
function depthOf(type: Type, allowed: number): number {
  const known = depths.get(type);
  if (known !== undefined) return known;
  if (!isCompound(type)) return 0;
  let deepest = 0;
  for (const child of childTypes(type)) {
    deepest = Math.max(deepest, allowed === 0 ? Infinity : depthOf(child, allowed - 1));
    // The limit depends on the position of the type, so an exceeded limit is not kept.
    if (deepest === Infinity) return Infinity;
  }
  depths.set(type, deepest + 1);
  return deepest + 1;
}

function isCompound({ kind }: Type): boolean {
  return kind === "object" || kind === "tuple" || kind === "list" || kind === "map" || kind === "set";
}
