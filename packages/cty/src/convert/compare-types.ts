// SPDX-License-Identifier: Apache-2.0
import { isPrimitiveType, type ObjectType, type TupleType, type Type } from "../type.ts";

/**
 * Which of two types is the more general: negative for the first, positive for the second, zero if neither is.
 * {@link dynamic} comes last; string before other primitives; lists and sets before tuples, maps before objects.
 *
 * @see go-cty convert/compare_types.go
 */
export function compareTypes(a: Type, b: Type): number {
  if (a.kind === "dynamic" || b.kind === "dynamic") return Number(a.kind === "dynamic") - Number(b.kind === "dynamic");
  if (isPrimitiveType(a) && isPrimitiveType(b)) return Number(b.kind === "string") - Number(a.kind === "string");
  if (a.kind === b.kind) return compareAlike(a, b);
  return isMoreGeneral(a, b) ? -1 : isMoreGeneral(b, a) ? 1 : 0;
}

function compareAlike(a: Type, b: Type): number {
  if (a.kind === "object" && b.kind === "object") return compareObjects(a, b);
  if (a.kind === "tuple" && b.kind === "tuple") return compareTuples(a, b);
  return "element" in a && "element" in b ? compareTypes(a.element, b.element) : 0;
}

function isMoreGeneral(a: Type, b: Type): boolean {
  if (a.kind === "map") return b.kind === "object";
  if (a.kind === "list") return b.kind === "tuple" || b.kind === "set";
  return a.kind === "tuple" && b.kind === "set";
}

function compareObjects(a: ObjectType, b: ObjectType): number {
  if (a.names.length !== b.names.length || a.names.some((name) => !b.slots.has(name))) return 0;
  return oneWay(a.names.map((name) => compareTypes(a.attributes[name]!, b.attributes[name]!)));
}

function compareTuples(a: TupleType, b: TupleType): number {
  return a.elements.length === b.elements.length ? oneWay(a.elements.map((type, index) => compareTypes(type, b.elements[index]!))) : 0;
}

/** One is more general than the other if it is so in some part, and the other is in none. */
function oneWay(parts: readonly number[]): number {
  const first = parts.some((part) => part < 0);
  const second = parts.some((part) => part > 0);
  return first === second ? 0 : first ? -1 : 1;
}

/**
 * The positions of the types, more general ones first, in go-cty's order: a breadth-first walk from those that none is more
 * general than.
 *
 * @see go-cty convert/sort_types.go
 */
export function sortTypes(types: readonly Type[]): number[] {
  const below = types.map((): number[] => []);
  const above = types.map(() => 0);
  for (let i = 0; i < types.length; i++) {
    for (let j = i + 1; j < types.length; j++) {
      const order = compareTypes(types[i]!, types[j]!);
      if (order === 0) continue;
      const [first, second] = order < 0 ? [i, j] : [j, i];
      below[first]!.push(second);
      above[second]! += 1;
    }
  }
  const result = [...above.keys()].filter((index) => above[index] === 0);
  for (const index of result) {
    for (const next of below[index]!) {
      above[next]! -= 1;
      if (above[next] === 0) result.push(next);
    }
  }
  return result;
}
