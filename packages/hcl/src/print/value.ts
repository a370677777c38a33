// SPDX-License-Identifier: Apache-2.0
import { friendlyName, isKnown, isMarked, isNull, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import type { NumberPayload } from "@tenon/cty/unstable/payload";
import { isValidIdentifier } from "../scan/identifier.ts";
import { items, sequence } from "./brackets.ts";
import { numberLiteral } from "./number.ts";
import { unprintable, type Layout } from "./printer.ts";
import { quoted } from "./quote.ts";

/** A value as an expression that has it, but that lists and sets become tuples, and maps objects. */
export function valueText(value: Value, layout: Layout): string {
  if (isMarked(value)) throw unprintable("a marked value");
  if (!isKnown(value)) throw unprintable("an unknown value");
  if (isNull(value)) return "null";
  const { type, payload } = value;
  switch (type.kind) {
    case "bool":
      return payload === true ? "true" : "false";
    case "number":
      return numberLiteral(payload as NumberPayload);
    case "string":
      return quoted(payload as string);
    case "list":
    case "set":
    case "tuple":
      return sequence("[", "]", layout, (inner) => elements(value).map(([, element]) => valueText(element, inner)));
    case "map":
    case "object":
      return items(layout, (inner) =>
        elements(value).map(([key, element]) => `${objectKey(key.payload as string)} = ${valueText(element, inner)}`),
      );
    default:
      throw unprintable(`a value of the type ${friendlyName(type)}`);
  }
}

/** A first key of this name would begin a loop. */
function objectKey(key: string): string {
  return isValidIdentifier(key) && key !== "for" ? key : quoted(key);
}

/** Does the text of this value begin with a sign? */
export function isNegative(value: Value): boolean {
  if (value.type.kind !== "number" || isMarked(value) || !isKnown(value) || isNull(value)) return false;
  return numberLiteral(value.payload as NumberPayload).startsWith("-");
}
