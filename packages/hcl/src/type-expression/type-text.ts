// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { isValidIdentifier } from "../scan/identifier.ts";

/**
 * A type as an expression: `list(object({name=string}))`. What is optional is not told.
 *
 * @throws TypeError for capsule types, which no expression stands for.
 * @see typeexpr.TypeString
 */
export function typeText(type: Type): string {
  switch (type.kind) {
    case "string":
    case "number":
    case "bool":
      return type.kind;
    case "dynamic":
      return "any";
    case "list":
    case "set":
    case "map":
      return `${type.kind}(${typeText(type.element)})`;
    case "tuple":
      return `tuple([${type.elements.map(typeText).join(",")}])`;
    case "object": {
      const attributes = type.names.map((name) => `${isValidIdentifier(name) ? name : quote(name)}=${typeText(type.attributes[name]!)}`);
      return `object({${attributes.join(",")}})`;
    }
    default:
      throw new TypeError(`no expression stands for the capsule type ${type.name}`);
  }
}
