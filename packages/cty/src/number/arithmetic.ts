// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import {
  bitLength,
  infinity,
  isInfinite,
  lastBits,
  nearest,
  powerOfTwo,
  reduced,
  rounded,
  shiftOf,
  sign,
  truncated,
  view,
  zero,
  type Binary,
} from "../binary/binary.ts";
import { BigFloat, exactOf } from "./big-float.ts";
import { binaryOf, integerPrecision, negativeInfinity, numberFromBinary, positiveInfinity, precisionOf } from "./number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";

/** Precision in bits to which products are rounded before they are shortened to the bits they need. */
const productPrecision = 512;

function undefinedResult(what: string): CtyError {
  return new CtyError("NOT_A_NUMBER", what);
}

function widest(a: NumberPayload, b: NumberPayload): number {
  return Math.max(precisionOf(a), precisionOf(b));
}

/** Returns the exact value of an operand. */
function operand(x: NumberPayload): Binary {
  if (typeof x !== "number") return exactOf(x);
  const negative = x < 0;
  if (x === 0) return zero(false);
  view.setFloat64(0, x);
  const biased = (view.getUint32(0) >>> 20) & 0x7ff;
  if (Number.isInteger(x)) return { negative, mantissa: BigInt(Math.abs(x)), exponent: 0, bits: biased - 1022 };
  const mantissa = BigInt.asUintN(52, view.getBigUint64(0));
  if (biased === 0) return { negative, mantissa, exponent: -1074, bits: bitLength(mantissa) };
  return { negative, mantissa: mantissa | powerOfTwo(52), exponent: biased - 1075, bits: 53 };
}

/** Returns a result as a payload: as a JavaScript number where that means the same. */
function payloadOf(x: Binary, precision: number): NumberPayload {
  return precision === integerPrecision ? numberFromBinary(reduced(x), precision) : new BigFloat(precision, undefined, x);
}

/** Returns the sum. @throws CtyError `NOT_A_NUMBER` for Inf - Inf. @see go math/big Float.Add */
export function addNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  if (typeof a === "number" && typeof b === "number" && Number.isInteger(a) && Number.isInteger(b)) {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const precision = widest(a, b);
  return payloadOf(sum(operand(a), operand(b), false, precision), precision);
}

/** Returns the difference. @throws CtyError `NOT_A_NUMBER` for Inf - Inf. */
export function subtractNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  if (typeof a === "number" && typeof b === "number" && Number.isInteger(a) && Number.isInteger(b)) {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  const precision = widest(a, b);
  return payloadOf(sum(operand(a), operand(b), true, precision), precision);
}

/** Returns the number with the opposite sign. */
export function negateNumber(x: NumberPayload): NumberPayload {
  if (typeof x === "number" && x !== 0) return -x;
  const exact = operand(x);
  return payloadOf({ ...exact, negative: !exact.negative }, precisionOf(x));
}

/** Returns the absolute value. */
export function absoluteNumber(x: NumberPayload): NumberPayload {
  if (typeof x === "number") return Math.abs(x);
  return x.binary.negative ? numberFromBinary({ ...x.binary, negative: false }, x.precision) : x;
}

/**
 * Returns the product, rounded to 512 bits. Its precision is the number of bits it needs, at least that of the operands.
 *
 * @throws CtyError `NOT_A_NUMBER` for 0 × Inf.
 * @see go-cty Value.Multiply
 */
export function multiplyNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  if (typeof a === "number" && typeof b === "number" && Number.isInteger(a) && Number.isInteger(b)) {
    const product = a * b;
    if (Number.isSafeInteger(product) && !Object.is(product, -0)) return product;
  }
  const left = operand(a);
  const right = operand(b);
  const precision = widest(a, b);
  const negative = left.negative !== right.negative;
  if (isInfinite(left) || isInfinite(right)) {
    if (left.bits === 0 || right.bits === 0) throw undefinedResult("multiplication of zero with infinity");
    return payloadOf(infinity(negative), precision);
  }
  if (left.bits === 0 || right.bits === 0) return payloadOf(zero(negative), precision);
  const mantissa = left.mantissa * right.mantissa;
  const most = left.bits + right.bits;
  const bits = mantissa < powerOfTwo(most - 1) ? most - 1 : most;
  const product = nearest(negative, mantissa, left.exponent + right.exponent, bits, productPrecision, false);
  if (precision >= productPrecision || product.bits === 0 || isInfinite(product)) return payloadOf(product, precision);
  const exact = reduced(product);
  return numberFromBinary(exact, Math.max(exact.bits, precision));
}

/** Returns the quotient. @throws CtyError `NOT_A_NUMBER` for 0/0 and Inf/Inf. @see go math/big Float.Quo */
export function divideNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  if (typeof a === "number" && typeof b === "number" && Number.isInteger(a) && Number.isInteger(b) && a % b === 0 && a !== 0) return a / b;
  const precision = widest(a, b);
  return payloadOf(quotient(operand(a), operand(b), precision), precision);
}

function isConstantInfinity(x: NumberPayload): boolean {
  return x === positiveInfinity || x === negativeInfinity;
}

/**
 * Returns the remainder of a division that rounds towards zero, with the precision of the dividend. Returns the dividend if the
 * divisor is zero.
 *
 * @throws CtyError `NOT_A_NUMBER` for 0 and infinity, and for an infinity that is not the constant.
 * @see go-cty Value.Modulo
 */
export function moduloNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  const left = binaryOf(a);
  const right = binaryOf(b);
  // As in Go, only the constants are recognised as infinite here.
  if (isConstantInfinity(a) || isConstantInfinity(b)) return multiplyNumbers(a, b);
  if (sign(right) === 0) return a;
  if (isInfinite(left) || isInfinite(right)) throw undefinedResult("remainder of a division of, or by, an infinity that was computed");
  const precision = precisionOf(a);
  const ratio = reduced(quotient(operand(a), operand(b), widest(a, b)));
  const whole = truncated(ratio);
  const count = rounded(whole < 0n, whole < 0n ? -whole : whole, 0, precision);
  const product = right.mantissa * count.mantissa;
  const negative = right.negative !== count.negative;
  const multiple =
    product === 0n ? zero(negative) : nearest(negative, product, right.exponent + count.exponent, bitLength(product), precision, false);
  return payloadOf(sum(operand(a), multiple, true, precision), precision);
}

/** Difference of exponents up to which the exact sum is small enough to compute. */
const nearExponents = 2048;

/** Returns the exact sum, or the difference, rounded once. */
function sum(a: Binary, b: Binary, isDifference: boolean, precision: number): Binary {
  const bNegative = b.negative !== isDifference;
  if (a.bits === 0 || b.bits === 0 || isInfinite(a) || isInfinite(b))
    return sumWithSpecial(a, isDifference ? { ...b, negative: bNegative } : b, precision);
  let left = a;
  let right = b;
  let distance = a.exponent - b.exponent;
  if (Math.abs(distance) >= nearExponents) {
    left = nearby(a, b, precision);
    right = nearby(b, a, precision);
    distance = left.exponent - right.exponent;
  }
  const leftMantissa = distance > 0 ? left.mantissa << shiftOf(distance) : left.mantissa;
  const rightMantissa = distance < 0 ? right.mantissa << shiftOf(-distance) : right.mantissa;
  const exponent = distance > 0 ? right.exponent : left.exponent;
  const most = Math.max(left.bits + left.exponent, right.bits + right.exponent) - exponent;
  if (left.negative === bNegative) {
    const total = leftMantissa + rightMantissa;
    return nearest(left.negative, total, exponent, total < powerOfTwo(most) ? most : most + 1, precision, false);
  }
  const isLess = leftMantissa < rightMantissa;
  const rest = isLess ? rightMantissa - leftMantissa : leftMantissa - rightMantissa;
  if (rest === 0n) return zero(false);
  return nearest(left.negative !== isLess, rest, exponent, rest < powerOfTwo(most - 1) ? bitLength(rest) : most, precision, false);
}

/** Returns the sum of two numbers of which one or both are zero or infinite. */
function sumWithSpecial(a: Binary, b: Binary, precision: number): Binary {
  if (isInfinite(a) || isInfinite(b)) {
    if (isInfinite(a) && isInfinite(b) && a.negative !== b.negative) throw undefinedResult("addition of infinities with opposite signs");
    return isInfinite(a) ? a : b;
  }
  if (a.bits === b.bits) return zero(a.negative && b.negative);
  const { negative, mantissa, exponent, bits } = a.bits === 0 ? b : a;
  return nearest(negative, mantissa, exponent, bits, precision, false);
}

/** Replaces a number of which only the sign can affect the sum by a larger one, so that the addition does not need gigabytes. */
function nearby(x: Binary, other: Binary, precision: number): Binary {
  const end = Math.min(other.exponent, other.exponent + other.bits - precision) - 3;
  return x.exponent + x.bits < end ? { negative: x.negative, mantissa: 1n, exponent: end, bits: 1 } : x;
}

/** Number of bits of a quotient beyond its precision. With this many, a remainder seldom has to be computed. */
const extraBits = 31;

/** Returns the exact quotient, rounded once. */
function quotient(a: Binary, b: Binary, precision: number): Binary {
  const negative = a.negative !== b.negative;
  if (isInfinite(a) && isInfinite(b)) throw undefinedResult("division of infinity by infinity");
  if (a.bits === 0 && b.bits === 0) throw undefinedResult("division of zero by zero");
  if (isInfinite(a) || b.bits === 0) return infinity(negative);
  if (a.bits === 0 || isInfinite(b)) return zero(negative);
  const shift = Math.max(0, precision + extraBits - (a.bits - b.bits));
  const dividend = shift === 0 ? a.mantissa : a.mantissa << shiftOf(shift);
  const whole = dividend / b.mantissa;
  const most = a.bits + shift - b.bits + 1;
  const bits = whole < powerOfTwo(most - 1) ? most - 1 : most;
  // Only if the last bits of the quotient are zero, the remainder can decide the rounding.
  const isLarger = lastBits(whole) << 2 === 0 && whole * b.mantissa !== dividend;
  return nearest(negative, whole, a.exponent - shift - b.exponent, bits, precision, isLarger);
}
