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
import { plain } from "./provider-value.ts";

/**
 * Marks properties as secret if their inputs are secret. The engine does not do this for a provider that accepts secrets. If an input in a set, or in an
 * array whose length has changed, is secret, all elements become secret, because it is unknown to which element the input belongs.
 */
export function withSecretsOf(mapping: ObjectMapping, properties: PropertyMap, inputs: PropertyMap): PropertyMap {
  const result = new Map(properties);
  for (const [name, input] of inputs) {
    const value = properties.get(name);
    if (value !== undefined && value !== null) result.set(name, marked(mapping.byProperty.get(name)?.value, value, input));
  }
  return result;
}

function marked(mapping: ValueMapping | undefined, value: PropertyValue, input: PropertyValue): PropertyValue {
  if (!holdsSecret(input) || isSpecialProperty(value)) return value;
  if (isSpecialProperty(input)) return secretProperty(value);
  if (isPropertyMap(value) && isPropertyMap(input)) {
    if (mapping?.kind === "object") return withSecretsOf(mapping.object, value, input);
    if (mapping?.kind === "only") return marked(mapping.element, value, input);
    if (mapping?.kind === "map") return markedEntries(mapping.element, value, input);
  }
  if (mapping?.kind === "list" && isPropertyArray(value) && isPropertyArray(input) && value.length === input.length) {
    return value.map((element, index) => marked(mapping.elements[0], element, input[index]!));
  }
  return secretProperty(value);
}

function markedEntries(element: ValueMapping, values: PropertyMap, inputs: PropertyMap): PropertyMap {
  return new Map(values.entries().map(([key, value]) => [key, marked(element, value, inputs.get(key) ?? null)]));
}

/** Whether the value is or contains a secret. */
export function holdsSecret(value: PropertyValue): boolean {
  if (isSpecialProperty(value)) {
    if (value.kind === "secret") return true;
    if (value.kind === "output") return value.secret || (value.value !== undefined && holdsSecret(value.value));
    return false;
  }
  if (isPropertyArray(value)) return value.some(holdsSecret);
  return isPropertyMap(value) && value.values().some(holdsSecret);
}

/** Removes the marks of secrets and outputs at any depth. */
function plainDeep(value: PropertyValue): PropertyValue {
  const given = plain(value) ?? null;
  if (isPropertyArray(given)) return given.map(plainDeep);
  return isPropertyMap(given) ? plainProperties(given) : given;
}

/** Removes the marks of secrets and outputs from properties, at any depth. */
export function plainProperties(properties: PropertyMap): PropertyMap {
  return new Map([...properties].map(([name, value]) => [name, plainDeep(value)]));
}
