// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import type { Json, JsonObject } from "../property/json.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { cachedWords } from "../names/cached-words.ts";
import { plain } from "./provider-value.ts";

/**
 * Converts properties to the JSON state of a provider without a schema, for a state of an older schema version. Values keep their types.
 * Properties that the mapping lacks get the attribute name in snake case.
 */
export function rawState(mapping: ObjectMapping | undefined, properties: PropertyMap): JsonObject {
  const state: JsonObject = {};
  for (const [name, value] of properties) {
    if (name.startsWith("__")) continue;
    const property = mapping?.byProperty.get(name);
    state[property?.attribute ?? snakeCase(name)] = rawValue(property?.value, value);
  }
  return state;
}

function rawValue(mapping: ValueMapping | undefined, given: PropertyValue): Json {
  const value = plain(given) ?? null;
  if (mapping?.kind === "only") return value === null ? [] : [rawValue(mapping.element, value)];
  if (isPropertyArray(value)) {
    const elements = mapping && "elements" in mapping ? mapping.elements : [];
    return value.map((element, index) => rawValue(elements[index] ?? elements[0], element));
  }
  if (isPropertyMap(value)) {
    if (mapping?.kind === "object") return rawState(mapping.object, value);
    const element = mapping?.kind === "map" ? mapping.element : undefined;
    return Object.fromEntries(value.entries().map(([key, part]) => [key, rawValue(element, part)]));
  }
  // A state has no other kinds of values.
  return isSpecialProperty(value) ? null : value;
}

/** Converts a property name to an attribute name like the Go bridge: an underscore and a lower-case letter for each upper-case letter. */
export function snakeCase(name: string): string {
  return cachedSnakeCase(name);
}

const cachedSnakeCase = cachedWords((name) =>
  name.replaceAll(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`),
);
