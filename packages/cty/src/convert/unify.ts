// SPDX-License-Identifier: Apache-2.0
import { UNKNOWN, unmarkedPayload } from "../payload/payload.ts";
import { dynamic, list, map, objectFromMap, set, tupleFromArray } from "../type/type.ts";
import type { ObjectType, TupleType, Type } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import { sortTypes } from "./compare-types.ts";
import type { Conversion, Rules, Unification } from "./rules.ts";
import { Trail } from "./trail.ts";

/**
 * A type that values of all the given types can be converted to; undefined if there is none, or if no types are given.
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

/** Unifies types of one compound kind. */
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

/** The conversions from all types to `target`; undefined if one of the types has none. */
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

/** Unifies object types: to an object type if all have the same attributes, otherwise to a map type. */
function unifyObjects(rules: Rules, types: readonly ObjectType[]): Unification | undefined {
  const { names } = types[0]!;
  const haveSameNames = types.every((type) => type.names.length === names.length && names.every((name) => type.slots.has(name)));
  if (!haveSameNames) return objectsAsMaps(rules, types);
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

/** Unifies tuple types: to a tuple type if all have the same length, otherwise to a list type. */
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

/** Unifies objects and maps, or tuples and lists: first the objects to a map, or the tuples to a list, then all collections. */
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
 * Applies two conversions in turn. go-cty calls the first only to check the value, and passes the original to the second. That works
 * because the second reads only the elements; go-cty panics if there are none. Here the second gets the result of the first then.
 */
function inTurn(first: Conversion | undefined, second: Conversion): Conversion {
  return (value) => {
    const step = first?.(value) ?? value;
    const payload = unmarkedPayload(step.payload);
    const isEmpty = (Array.isArray(payload) && payload.length === 0) || (payload instanceof Map && payload.size === 0);
    return second(isEmpty ? step : value);
  };
}

/** The unification if one of the types is dynamic: nothing is known of the result, so every conversion returns an unknown value of dynamic type. */
function allAsDynamic(types: readonly Type[]): Unification {
  return { type: dynamic, conversions: types.map(() => () => valueOf(dynamic, UNKNOWN)) };
}

/** The most general of those types that all others can be converted to. */
function unifyByPreference(rules: Rules, types: readonly Type[]): Unification | undefined {
  for (const type of sortTypes(types)) {
    const unified = convertingTo(rules, types, type);
    if (unified !== undefined) return unified;
  }
  return undefined;
}
