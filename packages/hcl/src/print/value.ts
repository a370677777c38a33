// SPDX-License-Identifier: Apache-2.0
import { friendlyName, isKnown, isMarked, isNull, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import type { NumberPayload } from "@tenon/cty/unstable/payload";
import { isValidIdentifier } from "../scan/identifier.ts";
import { items, sequence } from "./brackets.ts";
import { numberLiteral } from "./number.ts";
import { unprintable, type Layout } from "./printer.ts";
import { quoted } from "./quote.ts";

/** Prints a value as an expression: lists and sets as tuples, maps as objects. */
export function printValue(value: Value, layout: Layout): string {
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
      return sequence("[", "]", layout, (inner) => elements(value).map(([, element]) => printValue(element, inner)));
    case "map":
    case "object":
      return items(layout, (inner) =>
        elements(value).map(([key, element]) => `${objectKey(key.payload as string)} = ${printValue(element, inner)}`),
      );
    default:
      throw unprintable(`a value of type ${friendlyName(type)}`);
  }
}

/** Text of a key. The word `for` is quoted, because as a first key it would start a loop. */
function objectKey(key: string): string {
  return isValidIdentifier(key) && key !== "for" ? key : quoted(key);
}

/** Whether the text of this value begins with a sign. */
export function isNegative(value: Value): boolean {
  if (value.type.kind !== "number" || isMarked(value) || !isKnown(value) || isNull(value)) return false;
  return numberLiteral(value.payload as NumberPayload).startsWith("-");
}
