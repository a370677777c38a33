// SPDX-License-Identifier: Apache-2.0
import { payloadsSame, typedPayloadsEqual } from "./equality.ts";
import { unmarkPayloadDeep, withMarks } from "./marks.ts";
import {
  containsMark,
  isMarkedPayload,
  isUnknownPayload,
  isWhollyKnownPayload,
  UNKNOWN_NOT_NULL,
  unmarkedPayload,
  type Mark,
  type Payload,
} from "./payload.ts";
import { bool, type BoolType } from "./type.ts";
import { valueOf, type Value } from "./value.ts";

/** Is the value null? Marks do not matter; an unknown value is not. */
export function isNull(value: Value): boolean {
  return unmarkedPayload(value.payload) === null;
}

/** Is the value known? What is inside may still be unknown; null is known. */
export function isKnown(value: Value): boolean {
  return !isUnknownPayload(unmarkedPayload(value.payload));
}

/** Are the value and everything inside known? */
export function isWhollyKnown(value: Value): boolean {
  return isWhollyKnownPayload(value.payload);
}

/**
 * Whether two values are equal: unknown while that is open. Two nulls are equal whatever their types, values of different
 * types never are. Marks of both, also inside, go to the result.
 *
 * @see go-cty Value.Equals
 */
export function equals(a: Value, b: Value): Value<BoolType> {
  const equal = typedPayloadsEqual(a.type, a.payload, b.type, b.payload);
  const result = valueOf(bool, equal ?? UNKNOWN_NOT_NULL);
  if (!containsMark(a.payload) && !containsMark(b.payload)) return result;
  // To tell null from anything else, nobody looks inside.
  const deep = isNull(a) === isNull(b);
  return withMarks(result, relevantMarks(a.payload, deep), relevantMarks(b.payload, deep));
}

function relevantMarks(payload: Payload, deep: boolean): ReadonlySet<Mark> {
  if (!deep) return isMarkedPayload(payload) ? payload.marks : new Set();
  const found = new Set<Mark>();
  unmarkPayloadDeep(payload, found);
  return found;
}

/**
 * Are two values exactly the same: type, marks, unknown parts and what is known about them? Numbers are compared as
 * {@link equals} does.
 *
 * @see go-cty Value.RawEquals
 */
export function same(a: Value, b: Value): boolean {
  return a === b || (a.type === b.type && payloadsSame(a.type, a.payload, b.payload));
}
