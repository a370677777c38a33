// SPDX-License-Identifier: Apache-2.0
import { misuse } from "../error.ts";
import { childTypes, list, map, mapChildTypes, objectFromMap, set, tupleFromArray, type Type } from "../type.ts";
import type { Rules } from "./rules.ts";

/**
 * The wanted type with its dynamic parts replaced by what the source's type has there: the type of the null or unknown value
 * that a conversion makes of one.
 *
 * @see go-cty dynamicReplace
 */
export function dynamicReplace(rules: Rules, from: Type | undefined, to: Type): Type {
  if (from === undefined || from.kind === "dynamic") return to;
  switch (to.kind) {
    case "dynamic":
      return from;
    case "map":
      if (from.kind === "map") return map(dynamicReplace(rules, from.element, to.element));
      if (from.kind === "object") return map(dynamicReplace(rules, rules.unify(childTypes(from))?.type, to.element));
      return to;
    case "set":
    case "list": {
      const collection = to.kind === "list" ? list : set;
      if (from.kind === "set" || from.kind === "list") return collection(dynamicReplace(rules, from.element, to.element));
      if (from.kind === "tuple") return collection(dynamicReplace(rules, rules.unify(from.elements)?.type, to.element));
      return to;
    }
    case "object":
      if (from.kind === "map") return mapChildTypes(to, (type) => dynamicReplace(rules, from.element, type));
      // Only attributes that may be left out bring other types here.
      if (from.kind !== "object") return objectFromMap(new Map());
      return objectFromMap(new Map(to.names.map((name) => [name, dynamicReplace(rules, from.attributes[name], to.attributes[name]!)])));
    case "tuple":
      return tupleFromArray(to.elements.map((type, index) => dynamicReplace(rules, elementTypeAt(from, index), type)));
    default:
      return to;
  }
}

function elementTypeAt(type: Type, index: number): Type {
  const element = type.kind === "tuple" ? type.elements[index] : undefined;
  if (element === undefined) throw misuse("TupleElementType on non-tuple Type");
  return element;
}
