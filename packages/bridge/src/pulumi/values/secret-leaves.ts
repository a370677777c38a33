// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "@tenon/cty/unstable/payload";
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";

/** A text, number or boolean that the program marks as secret. */
export interface SecretLeaf {
  readonly value: string | number | boolean;
  /**
   * The attributes and the keys of maps that lead to what the program has marked, without the indexes of elements: the value, or an object or
   * collection that contains it. Undefined if no attribute has the value.
   */
  readonly place: Place;
}

type Place = readonly string[] | undefined;

/**
 * Yields the secret texts, numbers and booleans in properties. Those that bridges store are left out: they repeat values whose own properties are
 * secret.
 *
 * @param mapping - The attributes of the properties. Default: unknown.
 */
export function* secretLeaves(properties: PropertyMap, mapping?: ObjectMapping): Generator<SecretLeaf, void> {
  for (const [name, value] of properties) {
    if (name.startsWith("__")) continue;
    const property = mapping?.byProperty.get(name);
    yield* leavesIn(value, property?.value, property && [property.attribute], undefined);
  }
}

/** @param marked - The place that the program has marked, if it contains the value. */
function* leavesIn(
  value: PropertyValue,
  mapping: ValueMapping | undefined,
  place: Place,
  marked: { readonly place: Place } | undefined,
): Generator<SecretLeaf, void> {
  if (isSpecialProperty(value)) {
    if (value.kind === "secret") yield* leavesIn(value.value, mapping, place, marked ?? { place });
    else if (value.kind === "output") yield* leavesIn(value.value ?? null, mapping, place, value.secret ? (marked ?? { place }) : marked);
    else if (value.kind === "resource" && typeof value.id === "string" && marked) yield { value: value.id, ...marked };
  } else if (isPropertyArray(value)) {
    const elements = mapping && "elements" in mapping ? mapping.elements : [];
    for (const [index, element] of value.entries()) yield* leavesIn(element, elements[index] ?? elements[0], place, marked);
  } else if (isPropertyMap(value)) {
    if (mapping?.kind === "only") yield* leavesIn(value, mapping.element, place, marked);
    else for (const [name, part] of value) yield* leavesIn(part, ...partOf(mapping, place, name), marked);
  } else if (marked && value !== null) yield { value, ...marked };
}

/** The mapping and the place of a part of an object or map. */
function partOf(mapping: ValueMapping | undefined, place: Place, name: string): readonly [ValueMapping | undefined, Place] {
  if (mapping?.kind === "object") {
    const property = mapping.object.byProperty.get(name);
    return [property?.value, property && place && [...place, property.attribute]];
  }
  return [mapping?.kind === "map" ? mapping.element : mapping, place && [...place, normalizeString(name)]];
}
