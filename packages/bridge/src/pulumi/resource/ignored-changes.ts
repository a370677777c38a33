// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, type Value } from "@tenon/cty";
import { isMarkedPayload, mapPayload, type Payload, setPayload, valueOf } from "@tenon/cty/unstable/payload";
import type { PlanChangeOptions } from "@tenon/schema/lifecycle";
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { parsePropertyPath, type PropertyPath } from "../values/property-path.ts";

/**
 * Returns the function that restores the prior values at the engine's `ignoreChanges` paths; undefined without paths. A path that does not exist
 * restores nothing, and a path into a set restores the whole set.
 */
export function ignoringChanges(mapping: ObjectMapping, texts: readonly string[]): PlanChangeOptions["ignoreChanges"] | undefined {
  const paths = texts.map(parsePropertyPath).filter((path) => path !== undefined && path.length > 0) as PropertyPath[];
  if (paths.length === 0) return undefined;
  return (prior, value) => paths.reduce((restored, path) => restoredObject(mapping, prior, restored, path), value);
}

function restoredObject(mapping: ObjectMapping, prior: Value, value: Value, [name, ...rest]: PropertyPath): Value {
  if (!isObject(prior) || !isObject(value)) return value;
  const { type } = value;
  if (type.kind !== "object") return value;
  const slots = [...(value.payload as readonly Payload[])];
  for (const property of mapping.properties) {
    if (name !== "*" && property.property !== name) continue;
    const slot = type.slots.get(property.attribute);
    if (slot === undefined || prior.type.kind !== "object") continue;
    const before = partOf(prior, property.attribute, slot);
    slots[slot] = restored(property.value, before, valueOf(type.attributes[property.attribute]!, slots[slot]!), rest).payload;
  }
  return valueOf(type, slots);
}

function partOf(prior: Value, attribute: string, slot: number): Value {
  if (prior.type.kind !== "object") throw new TypeError("the prior value is not an object");
  return valueOf(prior.type.attributes[attribute]!, (prior.payload as readonly Payload[])[slot]!);
}

function restored(mapping: ValueMapping, prior: Value, value: Value, path: PropertyPath): Value {
  const [step, ...rest] = path;
  if (step === undefined) return prior.type === value.type ? prior : value;
  switch (mapping.kind) {
    case "object":
      return restoredObject(mapping.object, prior, value, path);
    case "only":
      return restoredElements(mapping.element, prior, value, "*", path);
    case "list":
      return restoredElements(mapping.elements[0]!, prior, value, step, rest);
    case "map":
      return restoredEntry(mapping.element, prior, value, step, rest);
    default:
      return restored(mapping, prior, value, []);
  }
}

function restoredElements(mapping: ValueMapping, prior: Value, value: Value, step: string | number, rest: PropertyPath): Value {
  if (!isSequence(prior) || !isSequence(value)) return value;
  if (value.type.kind !== "list" && value.type.kind !== "set") return value;
  const { element } = value.type;
  const before = prior.payload as readonly Payload[];
  const elements = (value.payload as readonly Payload[]).map((payload, index) => {
    if ((step !== "*" && step !== index) || index >= before.length) return payload;
    return restored(mapping, valueOf(element, before[index]!), valueOf(element, payload), rest).payload;
  });
  return valueOf(value.type, value.type.kind === "set" ? setPayload(element, elements) : elements);
}

function restoredEntry(mapping: ValueMapping, prior: Value, value: Value, step: string | number, rest: PropertyPath): Value {
  if (value.type.kind !== "map" || !isKnown(value) || !isKnown(prior)) return value;
  const { element } = value.type;
  const before = prior.payload instanceof Map ? (prior.payload as ReadonlyMap<string, Payload>) : new Map<string, Payload>();
  const entries = new Map<string, Payload>(value.payload instanceof Map ? (value.payload as ReadonlyMap<string, Payload>) : []);
  const keys = step === "*" ? [...before.keys(), ...entries.keys()] : [String(step)];
  for (const key of keys) {
    const old = before.get(key);
    const current = entries.get(key);
    if (old === undefined) entries.delete(key);
    else if (current === undefined || rest.length === 0) entries.set(key, old);
    else entries.set(key, restored(mapping, valueOf(element, old), valueOf(element, current), rest).payload);
  }
  return valueOf(value.type, mapPayload(entries));
}

function isObject(value: Value): boolean {
  return value.type.kind === "object" && !isNull(value) && isKnown(value) && !isMarkedPayload(value.payload);
}

function isSequence(value: Value): boolean {
  return Array.isArray(value.payload);
}
