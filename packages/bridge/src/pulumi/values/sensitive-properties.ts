// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import {
  isPropertyArray,
  isPropertyMap,
  isSpecialProperty,
  secretProperty,
  type PropertyMap,
  type PropertyValue,
} from "../property/property-value.ts";

/** Marks the values of sensitive and write-only attributes as secret, at any depth. */
export function withSensitiveSecrets(mapping: ObjectMapping, properties: PropertyMap): PropertyMap {
  const result = new Map(properties);
  for (const { property, sensitive, writeOnly, value } of mapping.properties) {
    const given = properties.get(property);
    if (given === undefined || given === null) continue;
    result.set(property, sensitive || writeOnly ? secretProperty(given) : marked(value, given));
  }
  return result;
}

function marked(mapping: ValueMapping, given: PropertyValue): PropertyValue {
  if (isSpecialProperty(given)) return given;
  if (mapping.kind === "only") return marked(mapping.element, given);
  if (isPropertyMap(given)) {
    if (mapping.kind === "object") return withSensitiveSecrets(mapping.object, given);
    return mapping.kind === "map" ? new Map([...given].map(([key, part]) => [key, marked(mapping.element, part)])) : given;
  }
  if (isPropertyArray(given) && (mapping.kind === "list" || mapping.kind === "set")) {
    return given.map((element) => marked(mapping.elements[0]!, element));
  }
  return given;
}

/** Whether the value of a sensitive or write-only attribute can be inside a value. */
export function hasSensitiveParts(mapping: ValueMapping): boolean {
  switch (mapping.kind) {
    case "object":
      return mapping.object.properties.some(({ sensitive, writeOnly, value }) => sensitive || writeOnly || hasSensitiveParts(value));
    case "only":
    case "map":
      return hasSensitiveParts(mapping.element);
    case "list":
    case "set":
    case "tuple":
      return mapping.elements.some(hasSensitiveParts);
    default:
      return false;
  }
}
