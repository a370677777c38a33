// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { isUnknown, propertiesEqual } from "../values/property-equality.ts";
import { plain } from "../values/provider-value.ts";

/** Elements that a set loses and gains. */
export interface SetChanges {
  /** Indexes in the old set. */
  readonly removed: readonly number[];
  /** Indexes in the planned set. */
  readonly added: readonly number[];
}

/**
 * Compares two sets. A planned element matches an old one if they are equal, except for unknown parts that the program does not set: a provider may
 * plan all computed values as unknown if anything changes.
 *
 * @param given - The inputs of the set.
 */
export function setChanges(
  element: ValueMapping,
  before: readonly PropertyValue[],
  after: readonly PropertyValue[],
  given: PropertyValue | undefined,
): SetChanges {
  const removed = new Set(before.keys());
  const added = new Set(after.keys());
  const known = elementsOf(given).filter((input) => !holdsUnknown(input));
  const remove = (index: number, unknownEquals: boolean): void => {
    const same = [...removed].find((old) => propertiesEqual(before[old], after[index], unknownEquals));
    if (same === undefined) return;
    removed.delete(same);
    added.delete(index);
  };
  for (const index of added) remove(index, false);
  for (const index of added) {
    if (holdsUnknown(after[index]) && known.some((input) => exactly.allows(element, after[index], input))) remove(index, true);
  }
  return { removed: [...removed], added: [...added] };
}

/**
 * Finds the input of each added element. The engine shows elements by their indexes in the inputs, but the provider may have another order. Returns
 * undefined if an element has no input.
 *
 * @returns Indexes in the planned set by indexes in the inputs.
 */
export function inputsOfElements(
  element: ValueMapping,
  planned: readonly PropertyValue[],
  added: readonly number[],
  given: PropertyValue | undefined,
): ReadonlyMap<number, number> | undefined {
  const elements = elementsOf(given);
  if (elements.length < planned.length) return undefined;
  const matches = new Map<number, number>();
  const unmatched = new Set(added);
  for (const rule of [exactly, withDefaults]) {
    for (const index of unmatched) {
      const input = elements.findIndex((candidate, at) => !matches.has(at) && rule.allows(element, planned[index], candidate));
      if (input < 0) continue;
      matches.set(input, index);
      unmatched.delete(index);
    }
  }
  return unmatched.size === 0 ? matches : undefined;
}

/** Decides whether a planned value can come from an input: they must be equal, except for parts that the provider sets. */
class OriginRule {
  readonly #hasDefaults: boolean;

  /** @param hasDefaults - Whether the provider may also set attributes that are not computed. With the legacy SDK it may, because defaults are not in its schemas. */
  constructor(hasDefaults: boolean) {
    this.#hasDefaults = hasDefaults;
  }

  allows(mapping: ValueMapping, planned: PropertyValue | undefined, input: PropertyValue | undefined): boolean {
    const value = plain(planned) ?? null;
    const given = plain(input) ?? null;
    if (isUnknown(given)) return isUnknown(value);
    if (given === null) return value === null || isEmpty(value) || this.#hasDefaults;
    switch (mapping.kind) {
      case "object":
        return isPropertyMap(value) && isPropertyMap(given) && this.#allowsObject(mapping.object, value, given);
      case "only":
        return this.allows(mapping.element, value, given);
      case "map":
        if (!isPropertyMap(value) || !isPropertyMap(given) || value.size !== given.size) return false;
        return value.entries().every(([key, part]) => given.has(key) && this.allows(mapping.element, part, given.get(key)));
      case "list":
        if (!isPropertyArray(value) || !isPropertyArray(given) || value.length !== given.length) return false;
        return value.every((part, index) => this.allows(mapping.elements[0]!, part, given[index]));
      case "set":
        return isPropertyArray(value) && isPropertyArray(given) && this.#allowsSet(mapping.elements[0]!, value, given);
      default:
        return propertiesEqual(value, given);
    }
  }

  #allowsObject({ properties }: ObjectMapping, planned: PropertyMap, input: PropertyMap): boolean {
    return properties.every(({ property, value, computed, writeOnly }) => {
      const given = plain(input.get(property)) ?? null;
      return writeOnly || (computed && given === null) || this.allows(value, planned.get(property), given);
    });
  }

  /** A set has each value once, and the program may repeat it. */
  #allowsSet(element: ValueMapping, planned: readonly PropertyValue[], input: readonly PropertyValue[]): boolean {
    const rest = new Set(planned.keys());
    for (const given of input) {
      const match = planned.findIndex((value) => this.allows(element, value, given));
      if (match < 0) return false;
      rest.delete(match);
    }
    return rest.size === 0;
  }
}

const exactly = new OriginRule(false);
const withDefaults = new OriginRule(true);

function elementsOf(given: PropertyValue | undefined): readonly PropertyValue[] {
  const value = plain(given);
  return isPropertyArray(value) ? value : [];
}

function holdsUnknown(given: PropertyValue | undefined): boolean {
  const value = plain(given);
  if (isPropertyArray(value)) return value.some(holdsUnknown);
  return isPropertyMap(value) ? value.values().some(holdsUnknown) : isUnknown(value);
}

/** Whether the value is an empty collection, which a provider may plan for an unset property. */
function isEmpty(value: PropertyValue): boolean {
  return (isPropertyArray(value) && value.length === 0) || (isPropertyMap(value) && value.size === 0);
}
