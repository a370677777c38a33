// SPDX-License-Identifier: Apache-2.0
import { valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { Value } from "@tenon/cty";
import { partOf } from "../shape/part.ts";
import { hasEntries, type ObjectShape, type Shape } from "../shape/shape.ts";

/** Checks the default of a nested attribute. It replaces a configured value, so it may contain only what a configuration may contain. */
export function* nestedDefaultFaults(shape: Shape, value: Value): Generator<string> {
  if (value.payload === null) {
    yield "it is or contains null in place of an object or a collection of objects";
    return;
  }
  if (shape.kind === "object") yield* objectFaults(shape, value);
  else if ("element" in shape) {
    const elements =
      shape.kind === "map" ? (value.payload as ReadonlyMap<string, Payload>).values() : (value.payload as readonly Payload[]);
    for (const element of elements) yield* nestedDefaultFaults(shape.element, valueOf(shape.element.type, element));
  }
}

function* objectFaults(shape: ObjectShape, value: Value): Generator<string> {
  for (const entry of shape.entries) {
    const part = partOf(value, entry);
    if (part.payload === null) {
      if (entry.required) yield `${entry.name} is required`;
    } else if (!entry.configurable) yield `${entry.name} is computed, so only the provider can set it`;
    else if (hasEntries(entry)) yield* nestedDefaultFaults(entry.shape, part);
  }
}
