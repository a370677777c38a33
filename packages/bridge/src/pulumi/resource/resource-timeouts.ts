// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping } from "../mapping/mapping.ts";
import { isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";

/** Operation with a time limit. */
export type TimedOperation = "create" | "read" | "update" | "delete";

const timeoutsProperty = "timeouts";

/**
 * Sets the time limit of the engine in the `timeouts` block or attribute, if the type has one and the program does not set it.
 *
 * @param seconds - 0 for no limit.
 */
export function withTimeout(mapping: ObjectMapping, inputs: PropertyMap, operation: TimedOperation, seconds: number): PropertyMap {
  const timeouts = mapping.byProperty.get(timeoutsProperty);
  if (seconds <= 0 || timeouts?.value.kind !== "object") return inputs;
  if (timeouts.value.object.byProperty.get(operation)?.value.kind !== "string") return inputs;
  const given = inputs.get(timeoutsProperty);
  const own: PropertyMap = isPropertyMap(given) ? given : new Map();
  if (own.has(operation)) return inputs;
  const limits: PropertyMap = new Map<string, PropertyValue>(own).set(operation, `${Math.ceil(seconds)}s`);
  return new Map<string, PropertyValue>(inputs).set(timeoutsProperty, limits);
}

/** Adds the `timeouts` of the state if the inputs have none, because the engine's time limits are not inputs and must not appear as a change. */
export function withStoredTimeouts(mapping: ObjectMapping, inputs: PropertyMap, state: PropertyMap): PropertyMap {
  const stored = state.get(timeoutsProperty);
  if (inputs.has(timeoutsProperty) || stored === undefined || stored === null || !mapping.byProperty.has(timeoutsProperty)) return inputs;
  return new Map([...inputs, [timeoutsProperty, stored]]);
}
