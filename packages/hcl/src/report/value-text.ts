// SPDX-License-Identifier: Apache-2.0
import { CtyError, friendlyName, isKnown, isMarked, isNull, marks, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { goQuote as quote, numberHashText as tenDigits, type NumberPayload } from "@tenon/cty/unstable/payload";
import type { Traversal } from "../syntax/traversal.ts";

/** Description of a marked value, by its mark if that is a well-known one. */
export function markedName(value: Value): "sensitive value" | "ephemeral value" | "marked value" {
  const all = marks(value);
  if (all.has("sensitive")) return "sensitive value";
  return all.has("ephemeral") ? "ephemeral value" : "marked value";
}

/**
 * Describes a value: numbers, strings and bools are written out, other values are described by type and size. Elements are never shown,
 * because they may be marked; a marked value is not described at all.
 *
 * @see go hcl diagnosticTextWriter.valueStr
 */
export function valueText(value: Value): string {
  if (isMarked(value)) return `(${markedName(value)})`;
  if (!isKnown(value)) return "(not yet known)";
  if (isNull(value)) return "null";
  const { type, payload } = value;
  switch (type.kind) {
    case "bool":
      return payload === true ? "true" : "false";
    case "number":
      return numeral(payload as NumberPayload);
    case "string":
      return quote(payload as string);
    case "list":
    case "set":
    case "map":
    case "tuple": {
      const count = elements(value).length;
      if (count === 0) return `empty ${friendlyName(type)}`;
      return `${friendlyName(type)} with ${count} ${count === 1 ? "element" : "elements"}`;
    }
    case "object": {
      const [first, ...more] = Object.keys(type.attributes);
      if (first === undefined) return "object with no attributes";
      return more.length === 0 ? `object with 1 attribute ${quote(first)}` : `object with ${more.length + 1} attributes`;
    }
    default:
      return friendlyName(type);
  }
}

/** A number with ten significant digits. Very large numbers are not written out. */
function numeral(payload: NumberPayload): string {
  try {
    return tenDigits(payload);
  } catch (error) {
    if (error instanceof CtyError) return "a very large or very small number";
    throw error;
  }
}

/** A reference as written in a configuration, with `...` for keys that are not numbers or strings. */
export function traversalText(traversal: Traversal): string {
  let text = "";
  for (const step of traversal) {
    if (step.kind === "root") text += step.name;
    else if (step.kind === "attribute") text += `.${step.name}`;
    else if (step.kind === "splat") text += "[*]";
    else text += ["bool", "number", "string"].includes(step.key.type.kind) ? `[${valueText(step.key)}]` : "[...]";
  }
  return text;
}
