// SPDX-License-Identifier: Apache-2.0
import { payloadsSame, typedPayloadsEqual } from "./equality.ts";
import { unmarkPayloadDeep, withMarks } from "../value/marks.ts";
import {
  containsMark,
  isMarkedPayload,
  isUnknownPayload,
  isWhollyKnownPayload,
  UNKNOWN_NOT_NULL,
  unmarkedPayload,
  type Mark,
  type Payload,
} from "../payload/payload.ts";
import { bool } from "../type/type.ts";
import type { BoolType } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/** Whether the value is null. An unknown value is not. Marks are ignored. */
export function isNull(value: Value): boolean {
  return unmarkedPayload(value.payload) === null;
}

/** Whether the value is known. Its parts may still be unknown. Null is known. */
export function isKnown(value: Value): boolean {
  return !isUnknownPayload(unmarkedPayload(value.payload));
}

/** Whether the value and all its parts are known. */
export function isWhollyKnown(value: Value): boolean {
  return isWhollyKnownPayload(value.payload);
}

/**
 * Whether two values are equal; unknown if that depends on unknown values. Two nulls are equal whatever their types. Other values of
 * different types are not equal. The result has the marks of both values, including those inside.
 *
 * @see go-cty Value.Equals
 */
export function equals(a: Value, b: Value): Value<BoolType> {
  const equal = typedPayloadsEqual(a.type, a.payload, b.type, b.payload);
  const result = valueOf(bool, equal ?? UNKNOWN_NOT_NULL);
  if (!containsMark(a.payload) && !containsMark(b.payload)) return result;
  // Comparing null with another value does not depend on the parts.
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
 * Whether two values are exactly the same, including types, marks, unknown parts and refinements. Numbers are compared as by
 * {@link equals}.
 *
 * @see go-cty Value.RawEquals
 */
export function same(a: Value, b: Value): boolean {
  return a === b || (a.type === b.type && payloadsSame(a.type, a.payload, b.payload));
}
