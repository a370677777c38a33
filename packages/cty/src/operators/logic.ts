// SPDX-License-Identifier: Apache-2.0
import { nullRefused } from "../error/error.ts";
import { compareNumbers } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { operands } from "./operand.ts";
import { UNKNOWN_NOT_NULL, type NumberBound, type Payload } from "../payload/payload.ts";
import { bool, dynamic, number } from "../type/type.ts";
import type { BoolType, Type } from "../model/type.ts";
import { equals } from "../equality/value-ops.ts";
import { payloadRange } from "../refinement/value-range.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/** The negation of a bool. @throws CtyError `MISUSE` for other types, `NULL` for null. @see go-cty Value.Not */
export function not(x: Value): Value<BoolType> {
  const { payloads, marked } = operands(bool, x);
  return valueOf(bool, marked(payloads === undefined ? UNKNOWN_NOT_NULL : payloads[0] !== true));
}

/** Whether both bools are true. The result is known if one of them is false. @throws CtyError as {@link not}. @see go-cty Value.And */
export function and(a: Value, b: Value): Value<BoolType> {
  return decidedBy(false, a, b);
}

/** Whether at least one of the bools is true. The result is known if one of them is true. @throws CtyError as {@link not}. @see go-cty Value.Or */
export function or(a: Value, b: Value): Value<BoolType> {
  return decidedBy(true, a, b);
}

/** The operation whose result is `decisive` if one operand is. As in Go, a known second operand is not checked, and may be null, if the first one decides. */
function decidedBy(decisive: boolean, a: Value, b: Value): Value<BoolType> {
  const { unknown, unmarked, marked } = operands(bool, a, b);
  if (unknown) return valueOf(bool, marked(unmarked.includes(decisive) ? decisive : UNKNOWN_NOT_NULL));
  const result = unmarked[0] === decisive ? decisive : unmarked[0] === null ? null : unmarked[1]!;
  if (result === null) throw nullRefused("value is null");
  return valueOf(bool, marked(result));
}

/** Whether two values differ: the negation of {@link equals}. @see go-cty Value.NotEqual */
export function notEquals(a: Value, b: Value): Value<BoolType> {
  return not(equals(a, b));
}

/**
 * Whether the first number is less than the second. The result is known for unknown numbers whose ranges do not overlap.
 *
 * @throws CtyError `MISUSE` for values that are not numbers, `NULL` for null.
 * @see go-cty Value.LessThan
 */
export function lessThan(a: Value, b: Value): Value<BoolType> {
  return ordered(a, b, -1);
}

/** Whether the first number is greater than the second. @see go-cty Value.GreaterThan */
export function greaterThan(a: Value, b: Value): Value<BoolType> {
  return ordered(a, b, 1);
}

/** Whether {@link lessThan} or {@link equals} holds. They compare by different rules: the double 0.1 is both greater than and equal to 0.1 read from text. */
export function lessThanOrEqual(a: Value, b: Value): Value<BoolType> {
  return or(lessThan(a, b), equals(a, b));
}

/** Whether {@link greaterThan} or {@link equals} holds. @see go-cty Value.GreaterThanOrEqualTo */
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

/** -1 if all numbers of the first range are below all numbers of the second, 1 if above. Ranges that share a bound overlap. */
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
