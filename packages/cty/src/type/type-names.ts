// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "../text/go-quote.ts";
import type { Type } from "../model/type.ts";

/** Returns the readable name of a type: `list of string`, `object`. */
export function friendlyName(type: Type): string {
  if ("element" in type) return `${type.kind} of ${friendlyName(type.element)}`;
  return type.kind === "capsule" ? type.name : type.kind;
}

/** Returns the readable name of a type constraint: `any type`, `list of any single type`. */
export function friendlyNameForConstraint(type: Type): string {
  if ("element" in type) {
    return `${type.kind} of ${type.element.kind === "dynamic" ? "any single type" : friendlyNameForConstraint(type.element)}`;
  }
  return type.kind === "dynamic" ? "any type" : friendlyName(type);
}

/** Returns the type as Go's `%#v` prints it: `cty.List(cty.String)`. */
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

/** Returns the kind with an upper-case first letter, as in Go's names. */
export function capitalised(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
