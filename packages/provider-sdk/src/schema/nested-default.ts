// SPDX-License-Identifier: Apache-2.0
import { valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { Value } from "@tenon/cty";
import { partOf } from "../planning/part.ts";
import { hasEntries, type ObjectShape, type Shape } from "./shape.ts";

/** What a default of a nested attribute must not be, since no configuration could: it stands for one. */
export function* nestedDefaultFaults(shape: Shape, value: Value): Generator<string> {
  if (value.payload === null) {
    yield "it is null, or holds null, where there is an object or a collection of them";
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
    } else if (!entry.configurable) yield `${entry.name} is computed, so the provider says what it is`;
    else if (hasEntries(entry)) yield* nestedDefaultFaults(entry.shape, part);
  }
}
