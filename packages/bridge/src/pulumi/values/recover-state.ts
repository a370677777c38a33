// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { plain } from "./provider-value.ts";
import { type RawJson, rawJsonOf } from "./raw-json.ts";
import { snakeCase } from "./raw-state.ts";
import { deltaProperty, naturalDelta, type ObjectDelta, type StateDelta } from "./state-delta.ts";

/** Properties of bridges, which are not part of a state. */
const bridgeProperties: ReadonlySet<string> = new Set(["__meta", "__defaults", deltaProperty]);

/**
 * Restores the JSON state that a provider wrote, from outputs and their difference.
 *
 * @throws BridgeError `INVALID_STATE` if the difference does not fit the outputs.
 */
export function recoverState(delta: StateDelta, outputs: PropertyValue): RawJson {
  const property = plain(outputs) ?? null;
  switch (delta.kind) {
    case "natural":
      return naturalState(property);
    case "replace":
      return jsonState(delta.state);
    case "only":
      return property === null ? [] : [recoverState(delta.inner, property)];
    case "map":
      if (!isPropertyMap(property)) throw misfit("an object is expected");
      return new Map([...property].map(([key, part]) => [key, recoverState(delta.elements.get(key) ?? naturalDelta, part)]));
    case "object":
      if (!isPropertyMap(property)) throw misfit("an object is expected");
      return objectState(delta, property);
    case "array":
      if (!isPropertyArray(property)) throw misfit("an array is expected");
      if (delta.elements.keys().some((index) => !(index in property))) throw misfit("an element of an array is missing");
      return property.map((part, index) => recoverState(delta.elements.get(index) ?? naturalDelta, part));
    case "number":
      if (typeof property !== "string" || !/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(property)) throw misfit("a number as text is expected");
      return { number: property };
    default:
      throw misfit("assets cannot be converted");
  }
}

function objectState({ ignored, renamed, properties }: ObjectDelta, given: PropertyMap): RawJson {
  const state = new Map<string, RawJson>();
  const attributeOf = (name: string): string => renamed.get(name) ?? snakeCase(name);
  for (const [name, part] of given) {
    if (bridgeProperties.has(name) || ignored.includes(name)) continue;
    state.set(attributeOf(name), recoverState(properties.get(name) ?? naturalDelta, part));
  }
  // Attributes that the outputs lack, for example because they are null.
  for (const [name, delta] of properties) if (!given.has(name)) state.set(attributeOf(name), recoverState(delta, null));
  return state;
}

/** The state of a value without a difference. An object always has a difference, which distinguishes it from a map. */
function naturalState(property: PropertyValue): RawJson {
  if (isPropertyArray(property)) return property.map((element) => naturalState(plain(element) ?? null));
  if (isPropertyMap(property) || isSpecialProperty(property)) throw misfit("it has no difference for an object");
  return jsonState(property);
}

function jsonState(property: PropertyValue): RawJson {
  const json = rawJsonOf(property);
  if (json === undefined) throw misfit("a value is not JSON");
  return json;
}

function misfit(detail: string): BridgeError {
  return new BridgeError(
    "INVALID_STATE",
    `${deltaProperty} does not fit the outputs of the resource: ${detail}. After a manual change of the state, remove this property from it`,
  );
}
