// SPDX-License-Identifier: Apache-2.0
import { BigFloat } from "./big-float.ts";
import { compare, fromDouble, fromInteger, infinity, isInfinite, isInteger, sign, topExponent, truncated, type Binary } from "./binary.ts";
import { singleton } from "../registry.ts";
import { shortestText, tenDigitText } from "./text.ts";

/**
 * A known number as a payload holds it. A JavaScript number stands for exactly what msgpack would deliver: a safe integer
 * for an integer of 64 bits precision, any other for a double (53 bits). -0, integers held as doubles and the rest are boxed.
 */
export type NumberPayload = number | BigFloat;

export const doublePrecision = 53;
export const integerPrecision = 64;

/** Zero as go-cty's constant of that name: operations recognise this very object. */
export const zeroNumber: BigFloat = singleton("zero", () => new BigFloat(doublePrecision, "0", undefined));
/** Infinity as go-cty's constants: some operations recognise these very objects, and refuse infinities that were computed or read. */
export const positiveInfinity: BigFloat = singleton("positive-infinity", () => new BigFloat(0, undefined, infinity(false)));
export const negativeInfinity: BigFloat = singleton("negative-infinity", () => new BigFloat(0, undefined, infinity(true)));

/** An integer with 64 bits of precision, or with as many as it needs. */
export function numberFromBigint(integer: bigint): NumberPayload {
  const narrow = Number(integer);
  if (Number.isSafeInteger(narrow)) return narrow;
  const binary = fromInteger(integer, Infinity);
  return new BigFloat(Math.max(integerPrecision, topExponent(binary)), String(integer), binary);
}

/**
 * A double with 53 bits of precision, as go-cty's NumberFloatVal; undefined for NaN.
 * Unlike the bare JavaScript number 2, the double 2.0 is boxed.
 */
export function numberFromDouble(double: number): NumberPayload | undefined {
  if (!Number.isInteger(double) && Number.isFinite(double)) return double;
  if (Number.isNaN(double)) return undefined;
  return new BigFloat(doublePrecision, undefined, fromDouble(double));
}

/** A JavaScript number as people mean it: integers are integers, infinity is the constant, the rest are doubles; undefined for NaN. */
export function numberFromJs(value: number): NumberPayload | undefined {
  if (value === Infinity) return positiveInfinity;
  if (value === -Infinity) return negativeInfinity;
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : numberFromDouble(value);
}

export function binaryOf(x: NumberPayload): Binary {
  return typeof x === "number" ? fromDouble(x) : x.binary;
}

export function precisionOf(x: NumberPayload): number {
  return typeof x !== "number" ? x.precision : Number.isSafeInteger(x) ? integerPrecision : doublePrecision;
}

/** A result of arithmetic in its shortest form: bare where a bare number means the same. */
export function numberFromBinary(binary: Binary, precision: number): NumberPayload {
  if (precision === integerPrecision && isInteger(binary) && !(binary.negative && binary.mantissa === 0n)) {
    const narrow = Number(truncated(binary));
    if (Number.isSafeInteger(narrow)) return narrow;
  }
  return new BigFloat(precision, undefined, binary);
}

/** Decimal notation without exponent, as Go's `Text('f', -1)`: the number's text in JSON, and in messages. */
export function numberText(x: NumberPayload): string {
  if (typeof x !== "number") return x.toString();
  if (Number.isSafeInteger(x)) return String(x);
  return doubleText(x);
}

const view = new DataView(new ArrayBuffer(8));

/** For powers of two and subnormal doubles Go finds other digits than JavaScript. */
function doubleText(x: number): string {
  view.setFloat64(0, x);
  const powerOfTwo = view.getUint32(4) === 0 && (view.getUint32(0) & 0xfffff) === 0;
  if (powerOfTwo || Math.abs(x) < 2.3e-308) return shortestText(fromDouble(x), doublePrecision);
  const text = String(x);
  const at = text.indexOf("e");
  if (at < 0) return text;
  // Only numbers below 1e-6 get here: those above 2^53 are boxed.
  const negative = text.startsWith("-") ? "-" : "";
  const digits = text.slice(negative.length, at).replace(".", "");
  return `${negative}0.${"0".repeat(-Number(text.slice(at + 1)) - 1)}${digits}`;
}

/** The JavaScript number that has the same text; undefined if there is none. */
export function numberToDouble(x: NumberPayload): number | undefined {
  if (typeof x === "number") return x;
  const text = x.toString();
  const double = Number(text.replace("Inf", "Infinity"));
  if (Number.isInteger(double)) return text === "-0" || String(BigInt(double)) === text ? double : undefined;
  return text.endsWith("Inf") || (Number.isFinite(double) && doubleText(double) === text) ? double : undefined;
}

/** The integer it is; undefined for fractions and infinity. */
export function numberToBigint(x: NumberPayload): bigint | undefined {
  if (typeof x === "number") return Number.isInteger(x) ? BigInt(x) : undefined;
  return isInteger(x.binary) ? truncated(x.binary) : undefined;
}

/** -1, 0 or 1. */
export function numberSign(x: NumberPayload): -1 | 0 | 1 {
  return typeof x === "number" ? (x > 0 ? 1 : x < 0 ? -1 : 0) : sign(x.binary);
}

export function isInfiniteNumber(x: NumberPayload): boolean {
  return typeof x !== "number" && isInfinite(x.binary);
}

/** Exact order of two numbers: negative, zero or positive. @see go math/big Float.Cmp */
export function compareNumbers(a: NumberPayload, b: NumberPayload): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compare(binaryOf(a), binaryOf(b));
}

/**
 * Whether two numbers are the same for go-cty: integers by value, others by text. So 0.1 read from text equals the double
 * 0.1, although neither the bits nor their order say so.
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
  // Texts of numbers of another size differ, and need not be written to tell.
  if (isInfinite(left) || isInfinite(right)) return isInfinite(left) && isInfinite(right);
  if (Math.abs(topExponent(left) - topExponent(right)) > 1) return false;
  return numberText(a) === numberText(b);
}

/** Text that two numbers have in common exactly if they are equal: see {@link numbersEqual}. */
export function numberIdentity(x: NumberPayload): string {
  if (typeof x === "number") return numberText(x);
  const { binary } = x;
  if (!isInteger(binary)) return numberText(x);
  // Far beyond 2^64, digits would take long.
  return topExponent(binary) > 1024
    ? `${binary.negative ? "-" : ""}${binary.mantissa.toString(16)}p${binary.exponent}`
    : String(truncated(binary));
}

/** The number as the hash of set elements writes it: ten significant digits. */
export function numberHashText(x: NumberPayload): string {
  if (typeof x === "number" && Number.isSafeInteger(x) && Math.abs(x) < 1e10) return String(x);
  return tenDigitText(binaryOf(x));
}
