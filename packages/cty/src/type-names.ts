// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "./go-quote.ts";
import type { CollectionType, Type } from "./type.ts";

/** The type's name for people: `list of string`, `object`. */
export function friendlyName(type: Type): string {
  if (isCollection(type)) return `${type.kind} of ${friendlyName(type.element)}`;
  return type.kind === "capsule" ? type.name : type.kind;
}

/** The type's name for people where it is a constraint: `any type`, `list of any single type`. */
export function friendlyNameForConstraint(type: Type): string {
  if (isCollection(type)) {
    return `${type.kind} of ${type.element.kind === "dynamic" ? "any single type" : friendlyNameForConstraint(type.element)}`;
  }
  return type.kind === "dynamic" ? "any type" : friendlyName(type);
}

function isCollection(type: Type): type is CollectionType {
  return type.kind === "list" || type.kind === "set" || type.kind === "map";
}

/** The type as Go's `%#v` prints it: `cty.List(cty.String)`. */
export function typeGoString(type: Type): string {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return `cty.${capitalised(type.kind)}(${typeGoString(type.element)})`;
    case "tuple":
      return type.elements.length === 0 ? "cty.EmptyTuple" : `cty.Tuple([]cty.Type{${type.elements.map(typeGoString).join(", ")}})`;
    case "object": {
      if (type.names.length === 0) return "cty.EmptyObject";
      const attributes = `map[string]cty.Type{${type.names.map((name) => `${goQuote(name)}:${typeGoString(type.attributes[name]!)}`).join(", ")}}`;
      return type.optionalNames.length === 0
        ? `cty.Object(${attributes})`
        : `cty.ObjectWithOptionalAttrs(${attributes}, []string{${type.optionalNames.map(goQuote).join(", ")}})`;
    }
    case "capsule":
      return type.ops.typeGoString?.() ?? `cty.Capsule(${goQuote(type.name)})`;
    default:
      return `cty.${capitalised(type.kind)}${type.kind === "dynamic" ? "PseudoType" : ""}`;
  }
}

/** As Go's names begin. */
export function capitalised(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
