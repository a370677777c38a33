// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, listOf, objectOf, type Value } from "@tenon/cty";
import { type Payload, valueOf } from "@tenon/cty/unstable/payload";
import type { ObjectMapping } from "../mapping/mapping.ts";
import { attributeOf, elementsOf } from "../../value-parts.ts";

/**
 * Gives dynamic values the types of an existing resource, if both have the same kinds of elements. The Go bridge converts an array in a dynamic
 * value to a list if possible; here it is a tuple, as in the configurations of the CLIs. Without the alignment, a resource that the Go bridge
 * created would have a change, but only of a type.
 */
export function alignDynamicTypes(mapping: ObjectMapping, config: Value, prior: Value): Value {
  if (!hasDynamicParts(mapping)) return config;
  if (config.type.kind !== "object" || isNull(config) || !isKnown(config) || isNull(prior)) return config;
  const { type } = config;
  const slots = [...(config.payload as readonly Payload[])];
  let changed = false;
  const types = { ...type.attributes };
  for (const { attribute, value } of mapping.properties) {
    const own = attributeOf(config, attribute);
    const old = attributeOf(prior, attribute);
    if (own === undefined || old === undefined) continue;
    const aligned =
      value.kind === "dynamic" ? alignedValue(own, old) : value.kind === "object" ? alignDynamicTypes(value.object, own, old) : own;
    if (aligned === own) continue;
    changed = true;
    types[attribute] = aligned.type;
    slots[type.slots.get(attribute)!] = aligned.payload;
  }
  if (!changed) return config;
  return objectOf(new Map(type.names.map((name) => [name, valueOf(types[name]!, slots[type.slots.get(name)!]!)])));
}

const withDynamic = new WeakMap<ObjectMapping, boolean>();

/** Whether a property of the object, or of an object in it, has a dynamic type. */
function hasDynamicParts(mapping: ObjectMapping): boolean {
  let result = withDynamic.get(mapping);
  if (result === undefined) {
    result = mapping.properties.some(({ value }) => (value.kind === "object" ? hasDynamicParts(value.object) : value.kind === "dynamic"));
    withDynamic.set(mapping, result);
  }
  return result;
}

function alignedValue(value: Value, prior: Value): Value {
  if (isNull(value) || !isKnown(value) || isNull(prior)) return value;
  if (value.type.kind === "object" && prior.type.kind === "object") {
    const { names } = value.type;
    const parts = names.map((name): readonly [string, Value] => {
      const own = attributeOf(value, name)!;
      const old = attributeOf(prior, name);
      return [name, old === undefined ? own : alignedValue(own, old)];
    });
    return objectOf(new Map(parts));
  }
  if (value.type.kind !== "tuple" || prior.type.kind !== "list") return value;
  const { element } = prior.type;
  const old = elementsOf(prior);
  const elements = elementsOf(value).map((own, index) => (old[index] === undefined ? own : alignedValue(own, old[index])));
  return elements.length > 0 && elements.every(({ type }) => type === element) ? listOf(elements, element) : value;
}
