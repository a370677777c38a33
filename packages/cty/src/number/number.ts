// SPDX-License-Identifier: Apache-2.0
import type { NumberPayload } from "../payload/number-payload.ts";
import { BigFloat } from "./big-float.ts";
import {
  compare,
  fromDouble,
  fromInteger,
  infinity,
  isInfinite,
  isInteger,
  sign,
  topExponent,
  truncated,
  view,
  type Binary,
} from "../binary/binary.ts";
import { singleton } from "../payload/singleton.ts";
import { shortestText, tenDigitText } from "./text.ts";

/** Precision of a double in bits. */
export const doublePrecision = 53;
/** Precision of an integer in bits, at least. */
export const integerPrecision = 64;

/** go-cty's constant zero. Operations recognise this object. */
export const zeroNumber: BigFloat = singleton("zero", () => new BigFloat(doublePrecision, "0", undefined));
/** go-cty's constant for positive infinity. Some operations recognise this object, and reject infinities that were computed or decoded. */
export const positiveInfinity: BigFloat = singleton("positive-infinity", () => new BigFloat(0, undefined, infinity(false)));
/** go-cty's constant for negative infinity; see {@link positiveInfinity}. */
export const negativeInfinity: BigFloat = singleton("negative-infinity", () => new BigFloat(0, undefined, infinity(true)));

/** Returns an integer with a precision of 64 bits, or more if it needs more. */
export function numberFromBigint(integer: bigint): NumberPayload {
  const narrow = Number(integer);
  if (Number.isSafeInteger(narrow)) return narrow;
  const binary = fromInteger(integer, Infinity);
  return new BigFloat(Math.max(integerPrecision, topExponent(binary)), String(integer), binary);
}

/**
 * Returns a double with a precision of 53 bits, as go-cty's NumberFloatVal does; undefined for NaN. The double 2.0 is boxed, because
 * the JavaScript number 2 stands for an integer.
 */
export function numberFromDouble(double: number): NumberPayload | undefined {
  if (!Number.isInteger(double) && Number.isFinite(double)) return double;
  if (Number.isNaN(double)) return undefined;
  return new BigFloat(doublePrecision, undefined, fromDouble(double));
}

/** Returns a JavaScript number: safe integers as integers, infinities as the constants, others as doubles; undefined for NaN. */
export function numberFromJs(value: number): NumberPayload | undefined {
  if (value === Infinity) return positiveInfinity;
  if (value === -Infinity) return negativeInfinity;
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : numberFromDouble(value);
}

/** Returns the exact value of the number. */
export function binaryOf(x: NumberPayload): Binary {
  return typeof x === "number" ? fromDouble(x) : x.binary;
}

/** Returns the precision of the number in bits. */
export function precisionOf(x: NumberPayload): number {
  return typeof x !== "number" ? x.precision : Number.isSafeInteger(x) ? integerPrecision : doublePrecision;
}

/** Returns a number as a payload: as a JavaScript number where that means the same. */
export function numberFromBinary(binary: Binary, precision: number): NumberPayload {
  if (precision === integerPrecision && isInteger(binary) && !(binary.negative && binary.mantissa === 0n)) {
    const narrow = Number(truncated(binary));
    if (Number.isSafeInteger(narrow)) return narrow;
  }
  return new BigFloat(precision, undefined, binary);
}

/** Returns the number in decimal notation without an exponent, as Go's `Text('f', -1)`: its text in JSON and in messages. */
export function numberText(x: NumberPayload): string {
  if (typeof x !== "number") return x.toString();
  if (Number.isSafeInteger(x)) return String(x);
  return doubleText(x);
}

/** Returns the text of a double. For powers of two and subnormal doubles, Go has other digits than JavaScript. */
function doubleText(x: number): string {
  view.setFloat64(0, x);
  const powerOfTwo = BigInt.asUintN(52, view.getBigUint64(0)) === 0n;
  if (powerOfTwo || Math.abs(x) < 2.3e-308) return shortestText(fromDouble(x), doublePrecision);
  const text = String(x);
  const at = text.indexOf("e");
  if (at < 0) return text;
  // Only numbers below 1e-6 get here: those above 2^53 are boxed.
  const negative = text.startsWith("-") ? "-" : "";
  const digits = text.slice(negative.length, at).replace(".", "");
  return `${negative}0.${"0".repeat(-Number(text.slice(at + 1)) - 1)}${digits}`;
}

/** Returns the JavaScript number with the same text; undefined if there is none. */
export function numberToDouble(x: NumberPayload): number | undefined {
  if (typeof x === "number") return x;
  const text = x.toString();
  const double = Number(text.replace("Inf", "Infinity"));
  if (Number.isInteger(double)) return text === "-0" || String(BigInt(double)) === text ? double : undefined;
  return text.endsWith("Inf") || (Number.isFinite(double) && doubleText(double) === text) ? double : undefined;
}

/** Returns the number as a bigint; undefined for fractions and infinity. */
export function numberToBigint(x: NumberPayload): bigint | undefined {
  if (typeof x === "number") return Number.isInteger(x) ? BigInt(x) : undefined;
  return isInteger(x.binary) ? truncated(x.binary) : undefined;
}

/** Returns the sign of the number: -1, 0 or 1. */
export function numberSign(x: NumberPayload): -1 | 0 | 1 {
  return typeof x === "number" ? (x > 0 ? 1 : x < 0 ? -1 : 0) : sign(x.binary);
}

/** Whether the number is infinite. */
export function isInfiniteNumber(x: NumberPayload): boolean {
  return typeof x !== "number" && isInfinite(x.binary);
}

/** Compares the exact values of two numbers: negative, zero or positive. @see go math/big Float.Cmp */
export function compareNumbers(a: NumberPayload, b: NumberPayload): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compare(binaryOf(a), binaryOf(b));
}

/**
 * Whether go-cty considers two numbers equal: integers by value, others by text. So 0.1 read from text equals the double 0.1, although
 * their bits differ and one is less than the other.
 *
 * @see go-cty rawNumberEqual
 */
export function numbersEqual(a: NumberPayload, b: NumberPayload): boolean {
  if (a === b) return true;
  if (typeof a === "number" && typeof b === "number") return false;
  const left = binaryOf(a);
  const right = binaryOf(b);
  if (sign(left) !== sign(right)) return false;
  const whole = isInteger(left);
  if (whole !== isInteger(right)) return false;
  if (whole) return left.mantissa === right.mantissa && left.exponent === right.exponent;
  // Numbers of different sizes have different texts.
  if (isInfinite(left) || isInfinite(right)) return isInfinite(left) && isInfinite(right);
  if (Math.abs(topExponent(left) - topExponent(right)) > 1) return false;
  return numberText(a) === numberText(b);
}

/** Returns a text that is the same for two numbers exactly if they are equal by {@link numbersEqual}. */
export function numberIdentity(x: NumberPayload): string {
  if (typeof x === "number") return numberText(x);
  const { binary } = x;
  if (!isInteger(binary)) return numberText(x);
  // Decimal digits of huge integers would take too long.
  return topExponent(binary) > 1024
    ? `${binary.negative ? "-" : ""}${binary.mantissa.toString(16)}p${binary.exponent}`
    : String(truncated(binary));
}

/** Returns the number as the hash of set elements contains it: ten significant digits. */
export function numberHashText(x: NumberPayload): string {
  if (typeof x === "number" && Number.isSafeInteger(x) && Math.abs(x) < 1e10) return String(x);
  return tenDigitText(binaryOf(x));
}
