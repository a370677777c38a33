// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error.ts";
import { bitLength, infinity, isInfinite, rounded, sign, topExponent, truncated, zero, type Binary } from "./binary.ts";
import { binaryOf, negativeInfinity, numberFromBinary, positiveInfinity, precisionOf, type NumberPayload } from "./number.ts";

/** Products are computed with so many bits before they are cut to what they need. */
const productPrecision = 512;

function undefinedResult(what: string): CtyError {
  return new CtyError("NOT_A_NUMBER", what);
}

function widest(a: NumberPayload, b: NumberPayload): number {
  return Math.max(precisionOf(a), precisionOf(b));
}

/** @throws CtyError `NOT_A_NUMBER` for Inf - Inf. @see go math/big Float.Add */
export function addNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  if (typeof a === "number" && typeof b === "number" && Number.isInteger(a) && Number.isInteger(b)) {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const precision = widest(a, b);
  return numberFromBinary(sum(binaryOf(a), binaryOf(b), precision), precision);
}

/** @throws CtyError `NOT_A_NUMBER` for Inf - Inf. */
export function subtractNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  return addNumbers(a, negateNumber(b));
}

export function negateNumber(x: NumberPayload): NumberPayload {
  if (typeof x === "number" && x !== 0) return -x;
  const binary = binaryOf(x);
  return numberFromBinary({ ...binary, negative: !binary.negative }, precisionOf(x));
}

export function absoluteNumber(x: NumberPayload): NumberPayload {
  if (typeof x === "number") return Math.abs(x);
  return x.binary.negative ? numberFromBinary({ ...x.binary, negative: false }, x.precision) : x;
}

/**
 * The product: rounded to 512 bits, and carrying as many bits as it needs, at least those of the operands.
 *
 * @throws CtyError `NOT_A_NUMBER` for 0 × Inf.
 * @see go-cty Value.Multiply
 */
export function multiplyNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  const left = binaryOf(a);
  const right = binaryOf(b);
  const negative = left.negative !== right.negative;
  if (isInfinite(left) || isInfinite(right)) {
    if (sign(left) === 0 || sign(right) === 0) throw undefinedResult("multiplication of zero with infinity");
    return numberFromBinary(infinity(negative), widest(a, b));
  }
  const product = rounded(negative, left.mantissa * right.mantissa, left.exponent + right.exponent, productPrecision);
  const needed = product.mantissa === 0n ? 0 : bitLength(product.mantissa);
  return numberFromBinary(product, Math.max(needed, widest(a, b)));
}

/** @throws CtyError `NOT_A_NUMBER` for 0/0 and Inf/Inf. @see go math/big Float.Quo */
export function divideNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  const precision = widest(a, b);
  return numberFromBinary(quotient(binaryOf(a), binaryOf(b), precision), precision);
}

function isConstantInfinity(x: NumberPayload): boolean {
  return x === positiveInfinity || x === negativeInfinity;
}

/**
 * The remainder of a division towards zero, with the dividend's precision; the dividend itself if the divisor is zero.
 *
 * @throws CtyError `NOT_A_NUMBER` for 0 and infinity, and for an infinity that is not the constant.
 * @see go-cty Value.Modulo
 */
export function moduloNumbers(a: NumberPayload, b: NumberPayload): NumberPayload {
  const left = binaryOf(a);
  const right = binaryOf(b);
  // As in Go, only the constants are known to be infinite in time.
  if (isConstantInfinity(a) || isConstantInfinity(b)) return multiplyNumbers(a, b);
  if (sign(right) === 0) return a;
  if (isInfinite(left) || isInfinite(right)) throw undefinedResult("remainder of a division of, or by, an infinity that was computed");
  const precision = precisionOf(a);
  const ratio = quotient(left, right, widest(a, b));
  const whole = truncated(ratio);
  const count = rounded(whole < 0n, whole < 0n ? -whole : whole, 0, precision);
  const multiple = rounded(right.negative !== count.negative, right.mantissa * count.mantissa, right.exponent + count.exponent, precision);
  return numberFromBinary(sum(left, { ...multiple, negative: !multiple.negative }, precision), precision);
}

/** The exact sum, rounded once. */
function sum(a: Binary, b: Binary, precision: number): Binary {
  if (isInfinite(a) || isInfinite(b)) {
    if (isInfinite(a) && isInfinite(b) && a.negative !== b.negative) throw undefinedResult("addition of infinities with opposite signs");
    return isInfinite(a) ? a : b;
  }
  if (a.mantissa === 0n && b.mantissa === 0n) return zero(a.negative && b.negative);
  if (a.mantissa === 0n) return rounded(b.negative, b.mantissa, b.exponent, precision);
  if (b.mantissa === 0n) return rounded(a.negative, a.mantissa, a.exponent, precision);
  const topOfA = topExponent(a);
  const topOfB = topExponent(b);
  const left = nearby(a, topOfA, b, topOfB, precision);
  const right = nearby(b, topOfB, a, topOfA, precision);
  const exponent = Math.min(left.exponent, right.exponent);
  const total = signed(left, exponent) + signed(right, exponent);
  return total < 0n ? rounded(true, -total, exponent, precision) : rounded(false, total, exponent, precision);
}

/** A number too small to matter but for its sign is replaced by one near enough to add without gigabytes of zeros between. */
function nearby(x: Binary, top: number, other: Binary, otherTop: number, precision: number): Binary {
  const end = Math.min(other.exponent, otherTop - precision) - 3;
  return top < end ? { negative: x.negative, mantissa: 1n, exponent: end } : x;
}

function signed(x: Binary, exponent: number): bigint {
  const size = x.exponent === exponent ? x.mantissa : x.mantissa << BigInt(x.exponent - exponent);
  return x.negative ? -size : size;
}

/** The exact quotient, rounded once. */
function quotient(a: Binary, b: Binary, precision: number): Binary {
  const negative = a.negative !== b.negative;
  if (isInfinite(a) && isInfinite(b)) throw undefinedResult("division of infinity by infinity");
  if (a.mantissa === 0n && b.mantissa === 0n) throw undefinedResult("division of zero by zero");
  if (isInfinite(a) || b.mantissa === 0n) return infinity(negative);
  if (a.mantissa === 0n || isInfinite(b)) return zero(negative);
  const shift = Math.max(0, precision + 2 - (bitLength(a.mantissa) - bitLength(b.mantissa)));
  const dividend = a.mantissa << BigInt(shift);
  const whole = dividend / b.mantissa;
  return rounded(negative, whole, a.exponent - shift - b.exponent, precision, whole * b.mantissa !== dividend);
}
