// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import { isInfinite, topExponent, type Binary } from "../binary/binary.ts";

/** Decimal digits without trailing zeros: the number is `0.DIGITS × 10^point`. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** Number of significant digits in the text that hashes use. */
const hashDigits = 10;

/**
 * Largest exponent of two, about 10^10000, of a number that is written as digits; likewise the smallest. A few bytes of input can
 * encode a number that takes seconds to write. Go has no such limit.
 */
const largestExponent = 33_220;

/**
 * Returns the number in decimal notation without an exponent, with the fewest digits that distinguish it from its neighbours of the
 * given precision. JSON and msgpack use this text, and equality of numbers compares it.
 *
 * @throws CtyError `LIMIT` beyond 2^±33220, which is about 10^±10000.
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
 * Returns the number with ten significant digits, with an exponent where Go's `%.10g` has one. Hashes contain this text.
 *
 * @see go math/big Float.Text('g', 10), which is Float.String
 */
export function tenDigitText(x: Binary): string {
  return special(x) ?? scientific(x, roundHalfEven(exactDecimal(x.mantissa, x.exponent), hashDigits), hashDigits);
}

/** Returns the number with as few digits as {@link shortestText}, with an exponent from 1e6: Go's `%v`. */
export function shortestScientificText(x: Binary, precision: number): string {
  return special(x) ?? scientific(x, shortestDecimal(x, precision), 6);
}

/** Returns the text of zero and infinity; undefined for other numbers. */
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

/** Rejects a number with too many digits. @throws CtyError `LIMIT` for such a number. */
export function refuseHuge(x: Binary): void {
  const top = topExponent(x);
  if (Math.abs(top) <= largestExponent) return;
  throw new CtyError("LIMIT", `a number of about 2^${top} has too many digits`);
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

/** Returns all digits of `mantissa × 2^exponent`. */
export function exactDecimal(mantissa: bigint, exponent: number): Decimal {
  const scaled = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = String(scaled);
  return decimalOf(digits, digits.length + Math.min(exponent, 0));
}

/** Rounds the decimal to at most `length` digits, ties to even. A negative length leaves it unchanged. */
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

/** The last digits of an expansion. `more` says whether further digits follow that are not all zero. */
interface Ending {
  readonly digits: string;
  readonly more: boolean;
}

type Expansion = Decimal & Ending;

/** Number of decimal places that are added to those of a unit of the last bit, so that the unit is represented exactly enough. */
const clearPlaces = 3;
const placesPerBit = Math.log10(2);

/**
 * Returns the shortest decimal that lies between the two numbers half a unit of the last bit below and above the number. As in Go,
 * digits are compared by position and not by decimal place, even if the neighbours have a digit more or less. As in Go, half a unit
 * below is as large as half a unit above, even for powers of two. Otherwise texts would differ.
 *
 * @see go math/big roundShortest
 */
export function shortestDecimal(x: Binary, precision: number): Decimal {
  const shift = precision + 1 - x.bits;
  const middle = x.mantissa << BigInt(shift);
  const { lower, value, upper, alike } = expansions(middle, x.exponent - shift);
  const inclusive = (middle & 2n) === 0n;
  const { digits } = value;
  for (let index = alike; index < digits.length; index++) {
    const digit = digits.charCodeAt(index);
    const at = index - alike;
    const down = digitAt(lower, at) !== digit || (inclusive && !lower.more && at + 1 === lower.digits.length);
    const above = digitAt(upper, at);
    const up = digit !== above && (inclusive || digit + 1 < above || upper.more || at + 1 < upper.digits.length);
    if (down && up) return roundHalfEven(value, index + 1);
    if (down) return roundDown(value, index + 1);
    if (up) return roundUp(value, index + 1);
  }
  return value;
}

function digitAt({ digits }: Ending, index: number): number {
  return index < digits.length ? digits.charCodeAt(index) : 48;
}

interface Expansions {
  readonly value: Expansion;
  /** Number of leading digits that are the same in all three. They are omitted from `lower` and `upper`. */
  readonly alike: number;
  readonly lower: Ending;
  readonly upper: Ending;
}

/**
 * Returns the digits of `(mantissa - 1) × 2^exponent`, `mantissa × 2^exponent` and `(mantissa + 1) × 2^exponent`. Of fractions, only
 * the digits in which the three can differ are computed, about a third of all.
 */
function expansions(mantissa: bigint, exponent: number): Expansions {
  const places = Math.min(-exponent, Math.ceil(-exponent * placesPerBit) + clearPlaces);
  const drop = -exponent - places;
  const scale = BigInt(Math.max(0, exponent));
  // 10^places is 5^places × 2^places.
  const unit = places <= 0 ? 1n << scale : powerOfFive(places);
  const scaled = mantissa * unit;
  const shown = Math.max(0, places);
  const isCut = drop > 0;
  const bits = BigInt(Math.max(0, drop));
  const whole = scaled >> bits;
  const below = (scaled - unit) >> bits;
  const above = (scaled + unit) >> bits;
  const digits = String(whole);
  const value = expansion(digits, shown, isCut && BigInt.asUintN(drop, scaled) !== 0n);
  // Usually only the last digits differ, which saves two conversions to text.
  const alike = digits.length - tailDigits;
  const tail = Number(digits.slice(-tailDigits));
  const lowerTail = tail - Number(whole - below);
  const upperTail = tail + Number(above - whole);
  if (isCut && alike > 0 && lowerTail >= 0 && upperTail < 10 ** tailDigits) {
    const ending = (tail: number): Ending => ({ digits: String(tail).padStart(tailDigits, "0"), more: true });
    return { value, alike, lower: ending(lowerTail), upper: ending(upperTail) };
  }
  return { value, alike: 0, lower: expansion(String(below), shown, isCut), upper: expansion(String(above), shown, isCut) };
}

/** Number of last digits that are compared as JavaScript numbers. */
const tailDigits = 12;

/** Returns an expansion. With `more`, trailing zeros are kept, because other digits follow. */
function expansion(digits: string, places: number, more: boolean): Expansion {
  const point = digits.length - places;
  return more ? { digits, point, more } : { ...decimalOf(digits, point), more };
}

const powersOfFive: bigint[] = [];
const mostPowers = 512;

function powerOfFive(n: number): bigint {
  return n < mostPowers ? (powersOfFive[n] ??= 5n ** BigInt(n)) : 5n ** BigInt(n);
}
