// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/json";
import type { ObjectMapping } from "../mapping/mapping.ts";
import type { Json } from "../property/json.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { computeDelta } from "./compute-delta.ts";
import { differingNumbers, jsonProperty, parseRawJson, rawJsonText, withExactNumbers } from "./raw-json.ts";
import { recoverState } from "./recover-state.ts";
import { decodeDelta, deltaProperty, encodeDelta, type StateDelta } from "./state-delta.ts";

/** What outputs need to determine the state that the provider wrote. */
export interface StateSupplement {
  /** Value of the property {@link deltaProperty}, which the Go bridge reads and writes, too. */
  readonly delta: StateDelta;
  /** Numbers that neither the outputs nor the difference hold exactly, by JSON pointer. */
  readonly exactNumbers: ReadonlyMap<string, string>;
}

/** Computes what the outputs lack to determine a known state. */
export function supplementState(mapping: ObjectMapping, type: ObjectType, value: Value, outputs: PropertyMap): StateSupplement {
  const text = encode(value, type, { convert });
  const state = parseRawJson(text);
  const delta = computeDelta(mapping, value, outputs);
  // The engine stores numbers as doubles: what it will return is what counts.
  const exactNumbers = differingNumbers(state, recoverState(decodeDelta(encodeDelta(delta)), outputs));
  if (exactNumbers !== undefined) return { delta, exactNumbers };
  const whole: StateDelta = { kind: "replace", state: jsonProperty(JSON.parse(text) as Json) };
  return { delta: whole, exactNumbers: differingNumbers(state, recoverState(whole, outputs)) ?? new Map() };
}

/**
 * Restores the JSON text of the state that the provider wrote. Returns undefined where the outputs have no {@link deltaProperty}.
 *
 * @throws BridgeError `INVALID_STATE` where the property does not fit the outputs.
 */
export function restoreState(outputs: PropertyMap, exactNumbers: ReadonlyMap<string, string>): string | undefined {
  const property = outputs.get(deltaProperty);
  if (property === undefined || property === null) return undefined;
  return rawJsonText(withExactNumbers(recoverState(decodeDelta(property), outputs), exactNumbers));
}
