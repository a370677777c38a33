// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";

/**
 * How deep values may nest. What is done with a value is done with what is in it, and so on: each expression could put what the
 * last one made into a few hundred lists more.
 */
export const deepestValue = 1000;

const known = new WeakMap<Type, number>();

/** Are values of the type nested deeper than they may be? */
export function isTooDeep(type: Type): boolean {
  return levelsOf(type, deepestValue) > deepestValue;
}

/** How many levels there are in values of a type: infinitely many if there are more than allowed. */
function levelsOf(type: Type, allowed: number): number {
  const before = known.get(type);
  if (before !== undefined) return before;
  const parts = partsOf(type);
  if (parts === undefined) return 0;
  let deepest = 0;
  for (const part of parts) {
    deepest = Math.max(deepest, allowed === 0 ? Infinity : levelsOf(part, allowed - 1));
    // What was cut short is not known of the type itself.
    if (deepest === Infinity) return Infinity;
  }
  known.set(type, deepest + 1);
  return deepest + 1;
}

function partsOf(type: Type): readonly Type[] | undefined {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return [type.element];
    case "tuple":
      return type.elements;
    case "object":
      return Object.values(type.attributes);
    default:
      return undefined;
  }
}
