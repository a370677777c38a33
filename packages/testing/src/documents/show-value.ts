// SPDX-License-Identifier: Apache-2.0
import { isArray, isObject, type Json, numberText } from "./json.ts";

/**
 * Formats a value for an error text, on one line. Hides the values that `sensitive` marks.
 *
 * @param sensitive Has `true` in the place of each sensitive value.
 */
export function showValue(value: Json | undefined, sensitive?: Json): string {
  if (sensitive === true) return "(sensitive value)";
  if (value === undefined) return "(none)";
  const number = numberText(value);
  if (number !== undefined) return number;
  if (isArray(value)) {
    const marks = isArray(sensitive) ? sensitive : [];
    return `[${value.map((element, index) => showValue(element, marks[index])).join(", ")}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const marks = isObject(sensitive) ? sensitive : {};
  const attributes = Object.entries(value).map(([name, element]) => `${JSON.stringify(name)}: ${showValue(element, marks[name])}`);
  return attributes.length === 0 ? "{}" : `{ ${attributes.join(", ")} }`;
}
