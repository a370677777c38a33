// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { isValidIdentifier } from "../scan/identifier.ts";

/**
 * Writes a type as a type expression: `list(object({name=string}))`. Optional attributes are not distinguished.
 *
 * @throws TypeError for capsule types, which have no type expression.
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
      throw new TypeError(`the capsule type ${type.name} has no type expression`);
  }
}
