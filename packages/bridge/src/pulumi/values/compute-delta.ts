// SPDX-License-Identifier: Apache-2.0
import { isNull, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/json";
import { isNumberPayload, numberText } from "@tenon/cty/unstable/payload";
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import type { Json } from "../property/json.ts";
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { attributeOf, elementsOf, entriesOf } from "../../value-parts.ts";
import { plain } from "./provider-value.ts";
import { jsonProperty, rawNumber } from "./raw-json.ts";
import { snakeCase } from "./raw-state.ts";
import { naturalDelta, type ObjectDelta, type StateDelta } from "./state-delta.ts";

/** Computes the difference between the outputs of a resource and the known value that they were converted from. */
export function computeDelta(mapping: ObjectMapping, value: Value, properties: PropertyMap): StateDelta {
  return objectDelta(mapping, value, properties);
}

function objectDelta(mapping: ObjectMapping, value: Value, properties: PropertyMap): ObjectDelta {
  const renamed = new Map<string, string>();
  const deltas = new Map<string, StateDelta>();
  for (const { property, attribute, value: part } of mapping.properties) {
    const attributeValue = attributeOf(value, attribute);
    if (attributeValue === undefined) continue;
    if (snakeCase(property) !== attribute) renamed.set(property, attribute);
    const given = properties.get(property);
    const delta = given === undefined ? replacement(part, attributeValue) : valueDelta(part, attributeValue, given);
    if (delta !== naturalDelta) deltas.set(property, delta);
  }
  const ignored = [...properties.keys()].filter((name) => !name.startsWith("__") && !mapping.byProperty.has(name));
  return { kind: "object", ignored: ignored.toSorted(), renamed, properties: deltas };
}

function valueDelta(mapping: ValueMapping, value: Value, given: PropertyValue): StateDelta {
  const property = plain(given) ?? null;
  if (isNull(value) && property === null && value.type.kind === mapping.type.kind) return naturalDelta;
  // The JSON of a value of a dynamic type holds its type, too.
  if (isNull(value) || mapping.type.kind === "dynamic") return replacement(mapping, value);
  switch (mapping.kind) {
    case "number":
      return numberDelta(value, property) ?? replacement(mapping, value);
    case "only": {
      const [element] = elementsOf(value);
      if (element === undefined) return property === null ? { kind: "only", inner: naturalDelta } : replacement(mapping, value);
      return { kind: "only", inner: valueDelta(mapping.element, element, property) };
    }
    case "list":
    case "set":
    case "tuple":
      return sequenceDelta(mapping, value, property);
    case "map":
      return mapDelta(mapping, value, property);
    case "object":
      return isPropertyMap(property) ? objectDelta(mapping.object, value, property) : replacement(mapping, value);
    default:
      return property === value.payload ? naturalDelta : replacement(mapping, value);
  }
}

/** Returns undefined if the property is a different number. */
function numberDelta({ payload }: Value, property: PropertyValue): StateDelta | undefined {
  if (typeof property === "string") return { kind: "number" };
  return typeof property === "number" && isNumberPayload(payload) && rawNumber(property).number === numberText(payload)
    ? naturalDelta
    : undefined;
}

function sequenceDelta(
  mapping: Extract<ValueMapping, { readonly kind: "list" | "set" | "tuple" }>,
  value: Value,
  property: PropertyValue,
): StateDelta {
  const elements = elementsOf(value);
  if (!isPropertyArray(property) || property.length !== elements.length) return replacement(mapping, value);
  const deltas = elements.map((element, index) => valueDelta(mapping.elements[index] ?? mapping.elements[0]!, element, property[index]!));
  return { kind: "array", elements: new Map([...deltas.entries()].filter(([, delta]) => delta !== naturalDelta)) };
}

function mapDelta(mapping: Extract<ValueMapping, { readonly kind: "map" }>, value: Value, property: PropertyValue): StateDelta {
  const entries = entriesOf(value);
  if (!isPropertyMap(property) || property.size !== entries.length) return replacement(mapping, value);
  const elements = new Map<string, StateDelta>();
  for (const [key, element] of entries) {
    const given = property.get(key);
    if (given === undefined) return replacement(mapping, value);
    const delta = valueDelta(mapping.element, element, given);
    if (delta !== naturalDelta) elements.set(key, delta);
  }
  return { kind: "map", elements };
}

function replacement({ type }: ValueMapping, value: Value): StateDelta {
  return { kind: "replace", state: jsonProperty(JSON.parse(encode(value, type, { convert })) as Json) };
}
