// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { objectText, orNull } from "./source-text.ts";

/** The TypeScript type of the known, non-null values of a cty type. Elements and attributes may be null. */
export function valueTypeText(type: Type, depth: number): string {
  switch (type.kind) {
    case "string":
      return "string";
    case "bool":
      return "boolean";
    case "number":
      return "Num";
    case "list":
    case "set":
      return arrayText(orNull(valueTypeText(type.element, depth)));
    case "map":
      return recordText(orNull(valueTypeText(type.element, depth)));
    case "tuple":
      return `readonly [${type.elements.map((element) => orNull(valueTypeText(element, depth))).join(", ")}]`;
    case "object": {
      const members = type.names.map((name) => ({
        name,
        optional: false,
        type: orNull(valueTypeText(type.attributes[name]!, depth + 1)),
        doc: [],
      }));
      return objectText(members, depth);
    }
    default:
      return "unknown";
  }
}

/** An array type. */
export function arrayText(element: string): string {
  return /[|\s]/.test(element) ? `readonly (${element})[]` : `readonly ${element}[]`;
}

/** A record type. */
export function recordText(element: string): string {
  return `Readonly<Record<string, ${element}>>`;
}
