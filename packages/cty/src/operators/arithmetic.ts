// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import {
  absoluteNumber,
  addNumbers,
  divideNumbers,
  moduloNumbers,
  multiplyNumbers,
  negateNumber,
  subtractNumbers,
} from "../number/arithmetic.ts";
import { BigFloat } from "../number/big-float.ts";
import {
  compareNumbers,
  isInfiniteNumber,
  negativeInfinity as negativeInfinityNumber,
  numberSign,
  positiveInfinity as positiveInfinityNumber,
  zeroNumber,
} from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { operands } from "./operand.ts";
import { isNumberPayload, UNKNOWN, UNKNOWN_NOT_NULL, type Payload } from "../payload/payload.ts";
import { dynamic, number } from "../type/type.ts";
import type { NumberType, Type } from "../model/type.ts";
import { refinePayload, type Refinements } from "../refinement/unknown-refinement.ts";
import { payloadRange } from "../refinement/value-range.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

type Operation = (a: NumberPayload, b: NumberPayload) => NumberPayload;

/** go-cty's constant 0. As in go-cty, only the product of an unknown number with this zero is known. */
export const zero: Value<NumberType> = valueOf(number, zeroNumber);
/** go-cty's constant for infinity. As in go-cty, {@link modulo} accepts only this infinity, and it cannot be a bound of an unknown number. */
export const positiveInfinity: Value<NumberType> = valueOf(number, positiveInfinityNumber);
/** go-cty's constant for negative infinity; see {@link positiveInfinity}. */
export const negativeInfinity: Value<NumberType> = valueOf(number, negativeInfinityNumber);

/**
 * The sum, with the precision of the more precise operand. If an operand is unknown, so is the sum, with the bounds that follow from
 * those of the operands.
 *
 * @throws CtyError `MISUSE` for values that are not numbers, `NULL` for null, `NOT_A_NUMBER` for Inf - Inf.
 * @see go-cty Value.Add
 */
export function add(a: Value, b: Value): Value<NumberType> {
  return monotone(a, b, addNumbers);
}

/** The difference. @throws CtyError as {@link add}. @see go-cty Value.Subtract */
export function subtract(a: Value, b: Value): Value<NumberType> {
  return monotone(a, b, subtractNumbers);
}

/** The product. @throws CtyError as {@link add}; `NOT_A_NUMBER` for 0 × Inf. @see go-cty Value.Multiply */
export function multiply(a: Value, b: Value): Value<NumberType> {
  return monotone(a, b, multiplyNumbers, (x, y) => x === zeroNumber || y === zeroNumber);
}

/** The quotient. @throws CtyError as {@link add}; `NOT_A_NUMBER` for 0/0 and Inf/Inf. @see go-cty Value.Divide */
export function divide(a: Value, b: Value): Value<NumberType> {
  return plain(a, b, divideNumbers);
}

/** The remainder of a division that truncates towards zero; `a` if `b` is zero. @see go-cty Value.Modulo */
export function modulo(a: Value, b: Value): Value<NumberType> {
  const { unknown, unmarked, marked } = operands(number, a, b);
  const divisor = unmarked[1]!;
  // As in Go, the dividend is not checked if the divisor is zero: it may be null.
  if (!unknown && isNumberPayload(divisor) && numberSign(divisor) === 0 && unmarked[0] === null) return valueOf(number, marked(null));
  return plain(a, b, moduloNumbers);
}

/** The negation of a number. @see go-cty Value.Negate */
export function negate(x: Value): Value<NumberType> {
  const { payloads, marked } = operands(number, x);
  return valueOf(number, marked(payloads === undefined ? UNKNOWN_NOT_NULL : negateNumber(payloads[0] as NumberPayload)));
}

/** The absolute value of a number. @see go-cty Value.Absolute */
export function absolute(x: Value): Value<NumberType> {
  const { payloads, marked } = operands(number, x);
  const unknown = (): Payload => refinePayload(number, UNKNOWN, { notNull: true, min: zero });
  return valueOf(number, marked(payloads === undefined ? unknown() : absoluteNumber(payloads[0] as NumberPayload)));
}

/** Whether both payloads are known, unmarked numbers: the common case, which has a fast path. */
function areNumbers(a: Value, b: Value): boolean {
  return a.type === number && b.type === number && isPlain(a.payload) && isPlain(b.payload);
}

function isPlain(payload: Payload): boolean {
  return typeof payload === "number" || payload instanceof BigFloat;
}

function plain(a: Value, b: Value, operation: Operation): Value<NumberType> {
  if (areNumbers(a, b)) return valueOf(number, operation(a.payload as NumberPayload, b.payload as NumberPayload));
  const { payloads, marked } = operands(number, a, b);
  const result = payloads === undefined ? UNKNOWN_NOT_NULL : operation(payloads[0] as NumberPayload, payloads[1] as NumberPayload);
  return valueOf(number, marked(result));
}

/**
 * Applies an operation that is monotone in both operands, so that the bounds of an unknown result follow from those of the operands.
 * `zeroAnyway` returns whether the result is zero although an operand is unknown.
 */
function monotone(a: Value, b: Value, operation: Operation, zeroAnyway?: (a: Payload, b: Payload) => boolean): Value<NumberType> {
  if (areNumbers(a, b)) return valueOf(number, operation(a.payload as NumberPayload, b.payload as NumberPayload));
  const { payloads, unmarked, marked } = operands(number, a, b);
  if (payloads !== undefined) return valueOf(number, marked(operation(payloads[0] as NumberPayload, payloads[1] as NumberPayload)));
  const [left, right] = unmarked as [Payload, Payload];
  if (zeroAnyway?.(left, right)) return valueOf(number, marked(zeroNumber));
  const bounds = boundsOf(operation, a.type, left, b.type, right);
  return valueOf(number, marked(refinePayload(number, UNKNOWN, { ...bounds, notNull: true })));
}

/** @see go-cty numericRangeArithmetic */
function boundsOf(operation: Operation, leftType: Type, left: Payload, rightType: Type, right: Payload): Refinements {
  if (leftType === dynamic || rightType === dynamic) return {};
  const a = extremes(left);
  const b = extremes(right);
  const results: NumberPayload[] = [];
  for (const x of a) {
    for (const y of b) {
      const result = attempt(operation, x, y);
      if (result === undefined) return {};
      results.push(result);
    }
  }
  const min = results.reduce((least, candidate) => (compareNumbers(candidate, least) < 0 ? candidate : least));
  const max = results.reduce((most, candidate) => (compareNumbers(candidate, most) > 0 ? candidate : most));
  return {
    ...(isInfiniteNumber(min) && compareNumbers(min, 0) < 0 ? {} : { min }),
    ...(isInfiniteNumber(max) && compareNumbers(max, 0) > 0 ? {} : { max }),
  };
}

function extremes(payload: Payload): readonly [NumberPayload, NumberPayload] {
  const { min, max } = payloadRange(number, payload);
  return [min?.value ?? negativeInfinityNumber, max?.value ?? positiveInfinityNumber];
}

function attempt(operation: Operation, a: NumberPayload, b: NumberPayload): NumberPayload | undefined {
  try {
    return operation(a, b);
  } catch (error) {
    if (error instanceof CtyError && error.code === "NOT_A_NUMBER") return undefined;
    throw error;
  }
}
