// SPDX-License-Identifier: Apache-2.0
import { misuse } from "../error/error.ts";
import { childTypes, list, map, mapChildTypes, objectFromMap, set, tupleFromArray } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import type { Rules } from "./rules.ts";

/**
 * The target type with its dynamic parts replaced by the corresponding parts of the source type. It is the type of the result if the
 * source value is null or unknown.
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
      // Other types occur only in place of optional attributes.
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
