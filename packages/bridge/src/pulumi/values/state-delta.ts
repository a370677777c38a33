// SPDX-License-Identifier: Apache-2.0
import { secretProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";

/** Name of the property with the difference between the outputs of a resource and the state that its provider wrote. */
export const deltaProperty = "__pulumi_raw_state_delta";

/**
 * Difference between a property value and the JSON state that it comes from, as the Go bridge stores it. Absent differences are `natural`.
 *
 * - `natural`: a primitive value, or an array of such values, that is the same in both.
 * - `only`: the only element of an array; null is an empty array.
 * - `map`, `array`: differences of elements, by key or index.
 * - `object`: attribute names that are not the snake case of their properties, properties that are no attributes, and differences by property.
 * - `number`: a number that is a text in the property.
 * - `replace`: the JSON state itself.
 * - `asset`: an asset, which only bridges for a single provider write.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/rawstate.go
 */
export type StateDelta =
  | { readonly kind: "natural" | "number" | "asset" }
  | { readonly kind: "only"; readonly inner: StateDelta }
  | { readonly kind: "map"; readonly elements: ReadonlyMap<string, StateDelta> }
  | { readonly kind: "array"; readonly elements: ReadonlyMap<number, StateDelta> }
  | ObjectDelta
  | { readonly kind: "replace"; readonly state: PropertyValue };

/** Difference between a property map and a JSON object with attributes. */
export interface ObjectDelta {
  readonly kind: "object";
  readonly ignored: readonly string[];
  readonly renamed: ReadonlyMap<string, string>;
  readonly properties: ReadonlyMap<string, StateDelta>;
}

/** The difference of equal values. */
export const naturalDelta: StateDelta = { kind: "natural" };

/** Whether a part of the state is in the difference itself. */
export function holdsReplacement(delta: StateDelta): boolean {
  switch (delta.kind) {
    case "replace":
      return true;
    case "only":
      return holdsReplacement(delta.inner);
    case "map":
    case "array":
      return delta.elements.values().some(holdsReplacement);
    case "object":
      return delta.properties.values().some(holdsReplacement);
    default:
      return false;
  }
}

/** Encodes a difference as the value of {@link deltaProperty}. States within it are secret, because they may hold sensitive values. */
export function encodeDelta(delta: StateDelta): PropertyValue {
  switch (delta.kind) {
    case "natural":
      return new Map();
    case "number":
      return new Map([["num", new Map()]]);
    case "asset":
      return new Map([["asset", new Map()]]);
    case "only":
      return new Map([["plu", new Map([["i", encodeDelta(delta.inner)]])]]);
    case "map":
      return new Map([["map", encodeElements(delta.elements)]]);
    case "array":
      return new Map([["arr", encodeElements(delta.elements)]]);
    case "object":
      return new Map([["obj", encodeObject(delta)]]);
    default:
      return secretProperty(new Map([["replace", new Map([["raw", delta.state]])]]));
  }
}

function encodeElements(elements: ReadonlyMap<string | number, StateDelta>): PropertyMap {
  return elements.size === 0 ? new Map() : new Map([["el", encodeAll(elements)]]);
}

function encodeObject({ ignored, renamed, properties }: ObjectDelta): PropertyMap {
  return new Map<string, PropertyValue>([
    ...(ignored.length > 0 ? ([["ignored", ignored]] as const) : []),
    ...(renamed.size > 0 ? ([["renamed", renamed]] as const) : []),
    ...(properties.size > 0 ? ([["ps", encodeAll(properties)]] as const) : []),
  ]);
}

function encodeAll(deltas: ReadonlyMap<string | number, StateDelta>): PropertyMap {
  return new Map([...deltas].map(([key, delta]) => [String(key), encodeDelta(delta)]));
}
