// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";

/** Returns properties by the names of their attributes, and only blocks as the arrays that a Terraform configuration has. */
export function terraformNamed(mapping: ObjectMapping, properties: PropertyMap): PropertyMap {
  return new Map(
    [...properties].map(([name, value]) => {
      const property = mapping.byProperty.get(name);
      return [property?.attribute ?? name, property ? named(property.value, value) : value];
    }),
  );
}

function named(mapping: ValueMapping, value: PropertyValue): PropertyValue {
  if (isSpecialProperty(value)) return value.kind === "secret" ? { ...value, value: named(mapping, value.value) } : value;
  if (mapping.kind === "only") return value === null ? [] : [named(mapping.element, value)];
  if (isPropertyArray(value) && "elements" in mapping) {
    return value.map((element, index) => named(mapping.elements[index] ?? mapping.elements[0]!, element));
  }
  if (!isPropertyMap(value)) return value;
  if (mapping.kind === "object") return terraformNamed(mapping.object, value);
  return mapping.kind === "map" ? new Map([...value].map(([key, part]) => [key, named(mapping.element, part)])) : value;
}
