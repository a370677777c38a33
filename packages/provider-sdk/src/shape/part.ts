// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, Value } from "@tenon/cty";
import { isUnknownPayload, payloadsSame, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { EntryShape } from "./shape.ts";

/** Whether the value is known and not null. */
export function hasContent(value: Value): boolean {
  return value.payload !== null && !isUnknownPayload(value.payload);
}

/** Returns the value of an entry of an object: null if the object is null, unknown if it is unknown. */
export function partOf(object: Value, entry: EntryShape): Value {
  const { type, payload } = object;
  if (payload === null) return valueOf(entry.shape.type, null);
  if (isUnknownPayload(payload)) return valueOf(entry.shape.type, UNKNOWN);
  return valueOf((type as ObjectType).attributes[entry.name]!, (payload as readonly Payload[])[entry.slot]!);
}

/** Returns the elements of a list or set; none if it is null or unknown. */
export function elementsOf(value: Value): readonly Payload[] {
  return hasContent(value) ? (value.payload as readonly Payload[]) : [];
}

/** Returns the elements of a map; none if it is null or unknown. */
export function mapElementsOf(value: Value): ReadonlyMap<string, Payload> {
  return hasContent(value) ? (value.payload as ReadonlyMap<string, Payload>) : new Map();
}

/** Whether two values are equal and of the same type. */
export function isSame(a: Value, b: Value): boolean {
  return a.type === b.type && payloadsSame(a.type, a.payload, b.payload);
}
