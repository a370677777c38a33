// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, Value } from "@tenon/cty";
import { isUnknownPayload, payloadsSame, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { EntryShape } from "../schema/shape.ts";

/** Known and not null: there is something inside. */
export function hasContent(value: Value): boolean {
  return value.payload !== null && !isUnknownPayload(value.payload);
}

/** One entry of an object: null where the object is null, unknown where it is unknown. */
export function partOf(object: Value, entry: EntryShape): Value {
  const { type, payload } = object;
  if (payload === null) return valueOf(entry.shape.type, null);
  if (isUnknownPayload(payload)) return valueOf(entry.shape.type, UNKNOWN);
  return valueOf((type as ObjectType).attributes[entry.name]!, (payload as readonly Payload[])[entry.slot]!);
}

/** Elements of a list or set; none where there is nothing inside. */
export function elementsOf(value: Value): readonly Payload[] {
  return hasContent(value) ? (value.payload as readonly Payload[]) : [];
}

/** Elements of a map; none where there is nothing inside. */
export function mapElementsOf(value: Value): ReadonlyMap<string, Payload> {
  return hasContent(value) ? (value.payload as ReadonlyMap<string, Payload>) : new Map();
}

/** Exactly the same value, of the same type. */
export function isSame(a: Value, b: Value): boolean {
  return a.type === b.type && payloadsSame(a.type, a.payload, b.payload);
}
