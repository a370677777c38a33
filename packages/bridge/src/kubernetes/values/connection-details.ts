// SPDX-License-Identifier: Apache-2.0
import { isNull, type Value } from "@tenon/cty";
import { isUnknownPayload } from "@tenon/cty/unstable/payload";
import type { KindMapping, ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { secretText } from "./observation.ts";
import { attributeOf, elementsOf, entriesOf } from "../../value-parts.ts";

/**
 * Returns the sensitive values of a resource for its connection Secret, as texts by key. A key is `attribute.` and the path of the attribute,
 * such as `attribute.users.0.password`; characters that are invalid in keys are replaced with underscores. A string is its own text, any other
 * value is JSON.
 */
export function connectionDetails({ fields }: KindMapping, state: Value): ReadonlyMap<string, string> {
  const details = new Map<string, string>();
  collectFromObject(fields, state, "attribute", details);
  return details;
}

function collectFromObject(mapping: ObjectMapping, value: Value, path: string, details: Map<string, string>): void {
  for (const { attribute, value: part, isObserved } of mapping.fields) {
    const given = attributeOf(value, attribute);
    if (given === undefined || isNull(given) || isUnknownPayload(given.payload)) continue;
    const key = `${path}.${attribute}`;
    if (isObserved) collect(part, given, key, details);
    else details.set(secretKey(key), secretText(part, given));
  }
}

function collect(mapping: ValueMapping, value: Value, path: string, details: Map<string, string>): void {
  if (mapping.kind === "object") return collectFromObject(mapping.object, value, path, details);
  if (mapping.kind === "map") {
    for (const [key, element] of entriesOf(value)) collect(mapping.element, element, `${path}.${key}`, details);
  }
  if (mapping.kind === "list" || mapping.kind === "set") {
    for (const [at, element] of elementsOf(value).entries()) collect(mapping.elements[0]!, element, `${path}.${at}`, details);
  }
}

function secretKey(path: string): string {
  return path.replaceAll(/[^-._a-zA-Z0-9]/g, "_").slice(0, 253);
}
