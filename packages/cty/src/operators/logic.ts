// SPDX-License-Identifier: Apache-2.0
import { nullRefused } from "../error.ts";
import { compareNumbers, type NumberPayload } from "../number/number.ts";
import { operands } from "./operand.ts";
import { UNKNOWN_NOT_NULL, type NumberBound, type Payload } from "../payload.ts";
import { bool, dynamic, number, type BoolType, type Type } from "../type.ts";
import { equals } from "../value-ops.ts";
import { payloadRange } from "../value-range.ts";
import { valueOf, type Value } from "../value.ts";

/** The opposite of a bool. @throws CtyError `MISUSE` for other types, `NULL` for null. @see go-cty Value.Not */
export function not(x: Value): Value<BoolType> {
  const { payloads, marked } = operands(bool, x);
  return valueOf(bool, marked(payloads === undefined ? UNKNOWN_NOT_NULL : payloads[0] !== true));
}

/** Are both true? Known as soon as one is false. @throws CtyError as {@link not}. @see go-cty Value.And */
export function and(a: Value, b: Value): Value<BoolType> {
  return decidedBy(false, a, b);
}

/** Is one true? Known as soon as one is. @throws CtyError as {@link not}. @see go-cty Value.Or */
export function or(a: Value, b: Value): Value<BoolType> {
  return decidedBy(true, a, b);
}

/** As in Go, a known second operand is not looked at, and may be null, where the first decides. */
function decidedBy(decisive: boolean, a: Value, b: Value): Value<BoolType> {
  const { unknown, unmarked, marked } = operands(bool, a, b);
  if (unknown) return valueOf(bool, marked(unmarked.includes(decisive) ? decisive : UNKNOWN_NOT_NULL));
  const result = unmarked[0] === decisive ? decisive : unmarked[0] === null ? null : unmarked[1]!;
  if (result === null) throw nullRefused("value is null");
  return valueOf(bool, marked(result));
}

/** The opposite of {@link equals}. @see go-cty Value.NotEqual */
export function notEquals(a: Value, b: Value): Value<BoolType> {
  return not(equals(a, b));
}

/**
 * Is one number smaller than the other? Known for unknown numbers whose ranges do not overlap.
 *
 * @throws CtyError `MISUSE` for values that are no numbers, `NULL` for null.
 * @see go-cty Value.LessThan
 */
export function lessThan(a: Value, b: Value): Value<BoolType> {
  return ordered(a, b, -1);
}

/** Is one number larger than the other? @see go-cty Value.GreaterThan */
export function greaterThan(a: Value, b: Value): Value<BoolType> {
  return ordered(a, b, 1);
}

/** {@link lessThan} or {@link equals}, which compare by different rules: 0.1 as a double is both more than 0.1 and equal to it. */
export function lessThanOrEqual(a: Value, b: Value): Value<BoolType> {
  return or(lessThan(a, b), equals(a, b));
}

/** {@link greaterThan} or {@link equals}. @see go-cty Value.GreaterThanOrEqualTo */
export function greaterThanOrEqual(a: Value, b: Value): Value<BoolType> {
  return or(greaterThan(a, b), equals(a, b));
}

function ordered(a: Value, b: Value, direction: -1 | 1): Value<BoolType> {
  const { payloads, unmarked, marked } = operands(number, a, b);
  if (payloads !== undefined) {
    return valueOf(bool, marked(Math.sign(compareNumbers(payloads[0] as NumberPayload, payloads[1] as NumberPayload)) === direction));
  }
  const order = disjointOrder(a.type, unmarked[0]!, b.type, unmarked[1]!);
  return valueOf(bool, marked(order === undefined ? UNKNOWN_NOT_NULL : order === direction));
}

/** -1 if every number of one range is below every one of the other, 1 if above; bounds count as excluded. */
function disjointOrder(leftType: Type, left: Payload, rightType: Type, right: Payload): -1 | 1 | undefined {
  if (leftType === dynamic || rightType === dynamic) return undefined;
  const a = payloadRange(number, left);
  const b = payloadRange(number, right);
  if (isBelow(a.max, b.min)) return -1;
  return isBelow(b.max, a.min) ? 1 : undefined;
}

function isBelow(max: NumberBound | undefined, min: NumberBound | undefined): boolean {
  return max !== undefined && min !== undefined && compareNumbers(max.value, min.value) < 0;
}
