// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, unmarkedPayload } from "../payload.ts";
import { dynamic, list, map, objectFromMap, set, tupleFromArray, type ObjectType, type TupleType, type Type } from "../type.ts";
import { valueOf } from "../value.ts";
import { sortTypes } from "./compare-types.ts";
import type { Conversion, Rules, Unification } from "./rules.ts";
import { Trail } from "./trail.ts";

/**
 * One type that values of all the given types can be converted to; undefined if there is none, or no type.
 *
 * @see go-cty convert/unify.go
 */
export function unify(rules: Rules, types: readonly Type[]): Unification | undefined {
  if (types.length === 0) return undefined;
  const kinds = new Set(types.map((type) => type.kind));
  const hasDynamic = kinds.delete("dynamic");
  const only = (...allowed: Type["kind"][]): boolean => kinds.size > 0 && [...kinds].every((kind) => allowed.includes(kind));
  if (only("map") || only("list") || only("set") || only("object") || only("tuple")) {
    return hasDynamic ? allAsDynamic(types) : unifyAlike(rules, types);
  }
  if (only("map", "object")) {
    const unified = structuralsFirst(rules, types, "object");
    if (unified !== undefined) return unified;
  } else if (only("list", "tuple")) {
    const unified = structuralsFirst(rules, types, "tuple");
    if (unified !== undefined) return unified;
  } else if (kinds.has("object") && kinds.has("tuple")) return undefined;
  return unifyByPreference(rules, types);
}

/** All types are of one kind of compound type. */
function unifyAlike(rules: Rules, types: readonly Type[]): Unification | undefined {
  const first = types[0]!;
  switch (first.kind) {
    case "list":
    case "set":
    case "map": {
      const element = rules.unify(types.map((type) => (type as typeof first).element));
      if (element === undefined) return undefined;
      const collection = { list, set, map }[first.kind];
      return convertingTo(rules, types, collection(element.type));
    }
    case "object":
      return unifyObjects(rules, types as readonly ObjectType[]);
    case "tuple":
      return unifyTuples(rules, types as readonly TupleType[]);
    default:
      return undefined;
  }
}

/** Every type converted to the given one. */
function convertingTo(rules: Rules, types: readonly Type[], target: Type): Unification | undefined {
  const conversions = types.map((type) => whole(rules, type, target));
  if (conversions.some((conversion, index) => conversion === undefined && types[index] !== target)) return undefined;
  return { type: target, conversions };
}

function whole(rules: Rules, from: Type, to: Type): Conversion | undefined {
  if (from === to) return undefined;
  const conversion = rules.find(from, to);
  return conversion === undefined ? undefined : (value) => conversion(value, new Trail());
}

/** Objects with the same attributes become one, others maps. */
function unifyObjects(rules: Rules, types: readonly ObjectType[]): Unification | undefined {
  const { names } = types[0]!;
  const alike = types.every((type) => type.names.length === names.length && names.every((name) => type.slots.has(name)));
  if (!alike) return objectsAsMaps(rules, types);
  const attributes = new Map<string, Type>();
  for (const name of names) {
    const unified = rules.unify(types.map((type) => type.attributes[name]!));
    if (unified === undefined) return undefined;
    attributes.set(name, unified.type);
  }
  return convertingTo(rules, types, objectFromMap(attributes)) ?? objectsAsMaps(rules, types);
}

function objectsAsMaps(rules: Rules, types: readonly ObjectType[]): Unification | undefined {
  const element = rules.unify(types.flatMap((type) => type.names.map((name) => type.attributes[name]!)));
  return element === undefined ? undefined : convertingTo(rules, types, map(element.type));
}

/** Tuples of one length become one, others lists. */
function unifyTuples(rules: Rules, types: readonly TupleType[]): Unification | undefined {
  const { length } = types[0]!.elements;
  if (types.some((type) => type.elements.length !== length)) return tuplesAsLists(rules, types);
  const elements: Type[] = [];
  for (let index = 0; index < length; index++) {
    const unified = rules.unify(types.map((type) => type.elements[index]!));
    if (unified === undefined) return undefined;
    elements.push(unified.type);
  }
  return convertingTo(rules, types, tupleFromArray(elements)) ?? tuplesAsLists(rules, types);
}

function tuplesAsLists(rules: Rules, types: readonly TupleType[]): Unification | undefined {
  const element = rules.unify(types.flatMap((type) => type.elements));
  return element === undefined ? undefined : convertingTo(rules, types, list(element.type));
}

/** Objects among maps become a map first, tuples among lists a list; then all are collections. */
function structuralsFirst(rules: Rules, types: readonly Type[], kind: "object" | "tuple"): Unification | undefined {
  const structurals = types.filter((type) => type.kind === kind);
  const step =
    kind === "object"
      ? objectsAsMaps(rules, structurals as readonly ObjectType[])
      : tuplesAsLists(rules, structurals as readonly TupleType[]);
  if (step === undefined) return undefined;
  const collection = step.type.kind;
  const unified = rules.unify(types.map((type) => (type.kind === kind ? step.type : type)));
  if (unified?.type.kind !== collection) return undefined;
  let structural = 0;
  const conversions = types.map((type, index) => {
    const second = unified.conversions[index];
    if (type.kind !== kind) return second;
    const first = step.conversions[structural++];
    return second === undefined ? first : inTurn(first, second);
  });
  return { type: unified.type, conversions };
}

/**
 * go-cty checks with the first conversion whether the value can be converted, and then gives the original to the second,
 * which works because it looks at the elements alone. Where there are none it panics; here the second gets the first's result.
 */
function inTurn(first: Conversion | undefined, second: Conversion): Conversion {
  return (value) => {
    const step = first?.(value) ?? value;
    const payload = unmarkedPayload(step.payload);
    const isEmpty = (Array.isArray(payload) && payload.length === 0) || (payload instanceof Map && payload.size === 0);
    return second(isEmpty ? step : value);
  };
}

/** Nothing is known of the result as long as one of the types is not: the conversions give the unknown value of any type. */
function allAsDynamic(types: readonly Type[]): Unification {
  return { type: dynamic, conversions: types.map(() => () => valueOf(dynamic, UNKNOWN)) };
}

/** The most general of the types that all others can be converted to. */
function unifyByPreference(rules: Rules, types: readonly Type[]): Unification | undefined {
  for (const index of sortTypes(types)) {
    const unified = convertingTo(rules, types, types[index]!);
    if (unified !== undefined) return unified;
  }
  return undefined;
}
