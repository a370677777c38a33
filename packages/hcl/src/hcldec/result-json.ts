// SPDX-License-Identifier: Apache-2.0
import { dynamic, isKnown, isNull, objectOf, tupleOf, type Value } from "@tenon/cty";
import { encode, encodeType } from "@tenon/cty/json";
import { canIterateElements, elements } from "@tenon/cty/operators";
import type { CommandLine } from "./command-line.ts";

/**
 * The result in one line of JSON.
 *
 * @throws CtyError for a value that is not wholly known.
 */
export function resultJson(value: Value, { withType, keepNulls }: Pick<CommandLine, "withType" | "keepNulls">): string {
  if (keepNulls) return `${encode(value, withType ? dynamic : value.type)}\n`;
  const less = withoutNulls(value);
  const written = encode(less, less.type);
  if (!withType || value.type === dynamic) return `${written}\n`;
  // The value is a property itself.
  return `{"type":${encodeType(value.type)}${isNull(value) ? "" : `,"value":${written}`}}\n`;
}

/** The value without properties and map elements that are null, at any depth. Its JSON is that of the rest, its type another one. */
function withoutNulls(value: Value): Value {
  if (!isKnown(value) || isNull(value) || !canIterateElements(value)) return value;
  const all = elements(value);
  if (value.type.kind !== "map" && value.type.kind !== "object") return tupleOf(all.map(([, element]) => withoutNulls(element)));
  const left = all.filter(([, element]) => !isNull(element));
  return objectOf(new Map(left.map(([key, element]) => [key.payload as string, withoutNulls(element)])));
}
