// SPDX-License-Identifier: Apache-2.0
import { isNull, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { isInfiniteNumber, numberText, type NumberPayload } from "@tenon/cty/unstable/payload";
import { print } from "@tenon/hcl/print";
import { isValidIdentifier } from "@tenon/hcl/scan";
import { textOf } from "./literal.ts";

/** The source of an expression with a known value, without marks, before it is formatted. @see go hclwrite TokensForValue */
export function expressionText(value: Value): string {
  if (isNull(value)) return "null";
  const { type, payload } = value;
  switch (type.kind) {
    case "list":
    case "set":
    case "tuple":
      return `[${elements(value)
        .map(([, element]) => expressionText(element))
        .join(",")}]`;
    case "map":
    case "object": {
      const items = elements(value).map(([key, element]) => {
        const name = textOf(key);
        return `\n${isValidIdentifier(name) ? name : expressionText(key)}=${expressionText(element)}`;
      });
      return items.length === 0 ? "{}" : `{${items.join("")}\n}`;
    }
    case "number":
      // The difference `infinite-expression`.
      if (isInfiniteNumber(payload as NumberPayload)) return print({ kind: "literal", value });
      return numberText(payload as NumberPayload);
    default:
      return print({ kind: "literal", value });
  }
}
