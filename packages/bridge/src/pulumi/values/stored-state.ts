// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, Type, Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/json";
import type { ObjectMapping } from "../mapping/mapping.ts";
import type { Json } from "../property/json.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { computeDelta } from "./compute-delta.ts";
import { differingNumbers, jsonProperty, parseRawJson, rawJsonText, withExactNumbers } from "./raw-json.ts";
import { recoverState } from "./recover-state.ts";
import { deltaProperty, encodeDelta, holdsReplacement } from "./state-delta.ts";

/** The data that, together with the outputs, determine the state that the provider wrote. */
export interface StateSupplement {
  /**
   * The value of the property {@link deltaProperty}, which the Go bridge reads and writes, too. Undefined if it is nested too deeply for requests of
   * the engine.
   */
  readonly delta: PropertyValue | undefined;
  /** Numbers that neither the outputs nor the difference hold exactly, by JSON pointer. */
  readonly exactNumbers: ReadonlyMap<string, string>;
  /** JSON text of the state; undefined where the difference determines it. */
  readonly text?: string;
}

/** Maximum nesting of a difference. Requests may have 48 levels, some of which are around the difference. */
const maxDeltaDepth = 40;

/** Computes the data that the outputs need to determine a known state. */
export function supplementState(mapping: ObjectMapping, type: ObjectType, value: Value, outputs: PropertyMap): StateSupplement {
  const computed = computeDelta(mapping, value, outputs);
  const delta = encodeDelta(computed);
  if (depthOf(delta) > maxDeltaDepth) return { delta: undefined, exactNumbers: new Map(), text: encode(value, type, { convert }) };
  // Only a replacement can hold a number inexactly: the engine stores numbers as doubles.
  return holdsReplacement(computed) ? completed(type, value, outputs, delta) : { delta, exactNumbers: new Map() };
}

/** Adds the numbers that the engine will round in the difference. */
function completed(type: ObjectType, value: Value, outputs: PropertyMap, delta: PropertyValue): StateSupplement {
  const text = encode(value, type, { convert });
  const state = parseRawJson(text);
  const exactNumbers = differingNumbers(state, parseRawJson(recoverState(delta, outputs)));
  if (exactNumbers !== undefined) return { delta, exactNumbers };
  const whole = encodeDelta({ kind: "replace", state: jsonProperty(JSON.parse(text) as Json) });
  return { delta: whole, exactNumbers: differingNumbers(state, parseRawJson(recoverState(whole, outputs))) ?? new Map() };
}

function depthOf(value: PropertyValue): number {
  if (isPropertyMap(value)) return 1 + [...value.values()].reduce<number>((depth, part) => Math.max(depth, depthOf(part)), 0);
  if (isPropertyArray(value)) return 1 + value.reduce<number>((depth, part) => Math.max(depth, depthOf(part)), 0);
  return isSpecialProperty(value) && value.kind === "secret" ? 1 + depthOf(value.value) : 0;
}

/**
 * Restores the JSON text of the state that the provider wrote. Returns undefined if the outputs have no {@link deltaProperty}.
 *
 * @param type - the current type of the state. Attributes that it does not have are left out. Default: all attributes are included.
 * @throws BridgeError `INVALID_STATE` if the property does not fit the outputs.
 */
export function restoreState(outputs: PropertyMap, exactNumbers: ReadonlyMap<string, string>, type?: Type): string | undefined {
  const property = outputs.get(deltaProperty);
  if (property === undefined || property === null) return undefined;
  const text = recoverState(property, outputs, type);
  return exactNumbers.size === 0 ? text : rawJsonText(withExactNumbers(parseRawJson(text), exactNumbers));
}
