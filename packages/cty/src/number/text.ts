// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error.ts";
import { bitLength, isInfinite, topExponent, type Binary } from "./binary.ts";

/** Decimal digits without trailing zeros: the number is `0.DIGITS × 10^point`. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** Significant digits in the text that hashes are made of. */
const hashDigits = 10;

/** No text is written for numbers whose digits would take more bits than this; Go would take the memory. */
const largestExponent = 4_000_000;

/**
 * The number in decimal notation without an exponent, with as few digits as tell it from its neighbours of the given
 * precision. This is how JSON and msgpack write numbers, and what decides their equality.
 *
 * @throws CtyError `LIMIT` beyond 2^±4000000.
 * @see go math/big Float.Text('f', -1)
 */
export function shortestText(x: Binary, precision: number): string {
  const fixed = special(x);
  if (fixed !== undefined) return fixed;
  const sign = x.negative ? "-" : "";
  if (x.exponent >= 0 && topExponent(x) <= precision) return sign + String(x.mantissa << BigInt(x.exponent));
  return sign + plain(shortestDecimal(x, precision));
}

/**
 * The number with ten significant digits, with an exponent where Go's `%.10g` has one. The hash of a number is made of it.
 *
 * @see go math/big Float.Text('g', 10), which is Float.String
 */
export function tenDigitText(x: Binary): string {
  return special(x) ?? scientific(x, roundHalfEven(exactDecimal(x.mantissa, x.exponent), hashDigits), hashDigits);
}

/** The number with as few digits as {@link shortestText}, with an exponent from a million on: Go's `%v`. */
export function shortestScientificText(x: Binary, precision: number): string {
  return special(x) ?? scientific(x, shortestDecimal(x, precision), 6);
}

/** Zero and infinity. */
function special(x: Binary): string | undefined {
  if (x.mantissa === 0n) return x.negative ? "-0" : "0";
  if (isInfinite(x)) return x.negative ? "-Inf" : "+Inf";
  refuseHuge(x);
  return undefined;
}

function scientific(x: Binary, decimal: Decimal, threshold: number): string {
  const sign = x.negative ? "-" : "";
  const { digits, point } = decimal;
  const exponent = point - 1;
  const limit = threshold === hashDigits && digits.length < threshold && digits.length >= point ? digits.length : threshold;
  if (exponent >= -4 && exponent < limit) return sign + plain(decimal);
  const tail = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${sign}${digits[0]}${tail}e${exponent < 0 ? "-" : "+"}${size}`;
}

/** @throws CtyError `LIMIT` for a number whose digits would not fit into memory. */
export function refuseHuge(x: Binary): void {
  if (Math.abs(x.exponent) <= largestExponent) return;
  throw new CtyError("LIMIT", `a number of the size of 2^${topExponent(x)} is too large to be written in digits`);
}

function plain({ digits, point }: Decimal): string {
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, "0");
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function decimalOf(digits: string, point: number): Decimal {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return { digits: digits.slice(0, end), point: end === 0 ? 0 : point };
}

/** `mantissa × 2^exponent` to its last digit. */
export function exactDecimal(mantissa: bigint, exponent: number): Decimal {
  const scaled = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = String(scaled);
  return decimalOf(digits, digits.length + Math.min(exponent, 0));
}

/** The decimal with at most so many digits. A length below zero leaves it as it is. */
export function roundHalfEven(decimal: Decimal, length: number): Decimal {
  const { digits } = decimal;
  if (length < 0 || length >= digits.length) return decimal;
  const next = digits[length]!;
  const tie = next === "5" && length + 1 === digits.length;
  const up = tie ? length > 0 && Number(digits[length - 1]) % 2 === 1 : next >= "5";
  return up ? roundUp(decimal, length) : roundDown(decimal, length);
}

function roundDown({ digits, point }: Decimal, length: number): Decimal {
  return decimalOf(digits.slice(0, length), point);
}

function roundUp({ digits, point }: Decimal, length: number): Decimal {
  let last = length;
  while (last > 0 && digits[last - 1] === "9") last--;
  if (last === 0) return { digits: "1", point: point + 1 };
  return { digits: digits.slice(0, last - 1) + String(Number(digits[last - 1]) + 1), point };
}

/**
 * Walks along the digits of the number and of the two numbers half a unit of the last bit below and above it, until a
 * number with so few digits lies between them. Go compares the digits by position, not by decimal place, also where the
 * neighbours have a digit more or less, and takes half a unit below as large as above also for powers of two, where it is
 * smaller: so does this, or texts would differ.
 *
 * @see go math/big roundShortest
 */
export function shortestDecimal(x: Binary, precision: number): Decimal {
  const shift = precision + 1 - bitLength(x.mantissa);
  const middle = x.mantissa << BigInt(shift);
  const exponent = x.exponent - shift;
  const value = exactDecimal(middle, exponent);
  const lower = exactDecimal(middle - 1n, exponent).digits;
  const upper = exactDecimal(middle + 1n, exponent).digits;
  const inclusive = (middle & 2n) === 0n;
  const { digits } = value;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(index);
    const below = index < lower.length ? lower.charCodeAt(index) : 48;
    const above = index < upper.length ? upper.charCodeAt(index) : 48;
    const down = below !== digit || (inclusive && index + 1 === lower.length);
    const up = digit !== above && (inclusive || digit + 1 < above || index + 1 < upper.length);
    if (down && up) return roundHalfEven(value, index + 1);
    if (down) return roundDown(value, index + 1);
    if (up) return roundUp(value, index + 1);
  }
  return value;
}
