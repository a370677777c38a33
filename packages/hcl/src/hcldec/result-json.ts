// SPDX-License-Identifier: Apache-2.0
import { dynamic, isKnown, isNull, objectOf, tupleOf, type Value } from "@tenon/cty";
import { encode, encodeType } from "@tenon/cty/json";
import { canIterateElements, elements } from "@tenon/cty/operators";
import type { CommandLine } from "./command-line.ts";

/**
 * Writes the result as one line of JSON.
 *
 * @throws CtyError for a value that is not wholly known.
 */
export function resultJson(value: Value, { withType, keepNulls }: Pick<CommandLine, "withType" | "keepNulls">): string {
  if (keepNulls) return `${encode(value, withType ? dynamic : value.type)}\n`;
  const less = withoutNulls(value);
  const written = encode(less, less.type);
  if (!withType || value.type === dynamic) return `${written}\n`;
  // The value is itself a property, which is left out if null.
  return `{"type":${encodeType(value.type)}${isNull(value) ? "" : `,"value":${written}`}}\n`;
}

/** Removes null properties and map elements from a value, at any depth. The type of the result differs. */
function withoutNulls(value: Value): Value {
  if (!isKnown(value) || isNull(value) || !canIterateElements(value)) return value;
  const all = elements(value);
  if (value.type.kind !== "map" && value.type.kind !== "object") return tupleOf(all.map(([, element]) => withoutNulls(element)));
  const left = all.filter(([, element]) => !isNull(element));
  return objectOf(new Map(left.map(([key, element]) => [key.payload as string, withoutNulls(element)])));
}
