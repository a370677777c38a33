// SPDX-License-Identifier: Apache-2.0
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { plain } from "./provider-value.ts";

/**
 * Whether two values are equal. A secret equals its value, and an absent property equals null. An unknown value equals no value, not even
 * another unknown value, unless `unknownEquals` is set: then it equals every value.
 */
export function propertiesEqual(left: PropertyValue | undefined, right: PropertyValue | undefined, unknownEquals = false): boolean {
  const a = plain(left) ?? null;
  const b = plain(right) ?? null;
  if (isUnknown(a) || isUnknown(b)) return unknownEquals;
  if (isPropertyArray(a) && isPropertyArray(b)) {
    return a.length === b.length && a.every((element, index) => propertiesEqual(element, b[index], unknownEquals));
  }
  if (isPropertyMap(a) && isPropertyMap(b)) return mapsEqual(a, b, unknownEquals);
  if (isSpecialProperty(a) || isSpecialProperty(b)) return JSON.stringify(a) === JSON.stringify(b);
  return a === b;
}

function mapsEqual(a: PropertyMap, b: PropertyMap, unknownEquals: boolean): boolean {
  return [...new Set([...a.keys(), ...b.keys()])].every((name) => propertiesEqual(a.get(name), b.get(name), unknownEquals));
}

/** Whether the value is unknown. */
export function isUnknown(value: PropertyValue | undefined): boolean {
  return isSpecialProperty(value) && value.kind === "unknown";
}
