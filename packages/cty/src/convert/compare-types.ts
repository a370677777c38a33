// SPDX-License-Identifier: Apache-2.0
import { isPrimitiveType } from "../type/type.ts";
import type { ObjectType, TupleType, Type } from "../model/type.ts";

/**
 * Compares how general two types are: negative if the first is more general, positive if the second is, zero if neither is.
 * {@link dynamic} is the least general. Strings are more general than other primitives, maps than objects, lists than sets and tuples,
 * tuples than sets.
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

/** The common order of the parts: negative if the first type is more general in some parts and the second in none, and vice versa. */
function oneWay(parts: readonly number[]): number {
  const first = parts.some((part) => part < 0);
  const second = parts.some((part) => part > 0);
  return first === second ? 0 : first ? -1 : 1;
}

/** A type among those to sort, and where it occurs. */
interface Candidate {
  readonly type: Type;
  /** Positions at which the type occurs, ascending. */
  readonly positions: number[];
  readonly lessGeneral: Candidate[];
  /** Number of more general types that have not been visited at all their positions. */
  moreGeneral: number;
  /** Number of positions that have not been visited. */
  unvisited: number;
}

/**
 * Returns the distinct types, more general ones first, in go-cty's order: a breadth-first walk over all positions, from those of the
 * types that no other type is more general than. Types that occur many times are compared once.
 *
 * @see go-cty convert/sort_types.go
 */
export function sortTypes(types: readonly Type[]): readonly Type[] {
  const candidates = candidatesOf(types);
  if (candidates.length < 2) return candidates.map(({ type }) => type);
  for (const [index, one] of candidates.entries()) {
    for (const other of candidates.slice(index + 1)) {
      const order = compareTypes(one.type, other.type);
      if (order === 0) continue;
      const [general, special] = order < 0 ? [one, other] : [other, one];
      general.lessGeneral.push(special);
      special.moreGeneral++;
    }
  }
  const queue = byPosition(candidates.filter(({ moreGeneral }) => moreGeneral === 0));
  for (const candidate of queue) {
    if (--candidate.unvisited > 0) continue;
    for (const next of byPosition(candidate.lessGeneral.filter((special) => --special.moreGeneral === 0))) queue.push(next);
  }
  return [...new Set(queue.map(({ type }) => type))];
}

function candidatesOf(types: readonly Type[]): readonly Candidate[] {
  const candidates = new Map<Type, Candidate>();
  for (const [position, type] of types.entries()) {
    let candidate = candidates.get(type);
    if (candidate === undefined) candidates.set(type, (candidate = { type, positions: [], lessGeneral: [], moreGeneral: 0, unvisited: 0 }));
    candidate.positions.push(position);
    candidate.unvisited++;
  }
  return [...candidates.values()];
}

/** Each candidate once for each of its positions, in the order of the positions. */
function byPosition(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .flatMap((candidate) => candidate.positions.map((position) => ({ candidate, position })))
    .sort((a, b) => a.position - b.position)
    .map(({ candidate }) => candidate);
}
