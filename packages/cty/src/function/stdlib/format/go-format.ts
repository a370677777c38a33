// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "../../../text/go-quote.ts";
import { isInfinite } from "../../../binary/binary.ts";
import { binaryOf, precisionOf } from "../../../number/number.ts";
import type { NumberPayload } from "../../../payload/number-payload.ts";
import { exactDecimal, refuseHuge, roundHalfEven, shortestDecimal, shortestScientificText, type Decimal } from "../../../number/text.ts";

/** A character in single quotes as Go's `%q` writes it. @see go strconv.QuoteRune */
export function goQuoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${goQuote(character).slice(1, -1)}'`;
}

/** C's flags, minimum width, and precision of a formatted number. */
export interface NumberFormat {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** The sign of a number. A flag can require a sign, or a space, for positive numbers. */
function signOf(negative: boolean, flags: string): string {
  if (negative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

const bases: Readonly<Record<string, number>> = { b: 2, d: 10, o: 8, x: 16, X: 16 };
const prefixes: Readonly<Record<string, string>> = { b: "0b", o: "0", x: "0x", X: "0X" };

/** Formats an integer with the verb `b`, `d`, `o`, `x` or `X`. @see go math/big Int.Format */
export function formatInteger(integer: bigint, verb: string, { flags, width = 0, precision }: NumberFormat): string {
  const sign = signOf(integer < 0n, flags);
  const prefix = flags.includes("#") ? (prefixes[verb] ?? "") : "";
  const size = (integer < 0n ? -integer : integer).toString(bases[verb]);
  if (integer === 0n && precision === 0) return "";
  let digits = (verb === "X" ? size.toUpperCase() : size).padStart(precision ?? 0, "0");
  if (flags.includes("-")) return (sign + prefix + digits).padEnd(width);
  if (flags.includes("0") && precision === undefined) digits = digits.padStart(width - sign.length - prefix.length, "0");
  return (sign + prefix + digits).padStart(width);
}

/** Formats a number with the verb `e`, `E`, `f`, `g` or `G`. @see go math/big Float.Format */
export function formatFloat(number: NumberPayload, verb: string, { flags, width = 0, precision }: NumberFormat): string {
  const binary = binaryOf(number);
  // Infinity always has a sign.
  const sign = isInfinite(binary) && !binary.negative ? (flags.includes(" ") ? " " : "+") : signOf(binary.negative, flags);
  const digits = isInfinite(binary) ? "Inf" : floatDigits(number, verb, precision);
  if (flags.includes("0") && !isInfinite(binary)) return sign + digits.padStart(width - sign.length, "0");
  return flags.includes("-") ? (sign + digits).padEnd(width) : (sign + digits).padStart(width);
}

/** The number without its sign. @see go math/big Float.Append */
function floatDigits(number: NumberPayload, verb: string, precision: number | undefined): string {
  const positive = { ...binaryOf(number), negative: false };
  const { mantissa, exponent } = positive;
  refuseHuge(positive);
  const exact: Decimal = mantissa === 0n ? { digits: "", point: 0 } : exactDecimal(mantissa, exponent);
  const places = precision ?? 6;
  if (verb === "e" || verb === "E") return withExponent(roundHalfEven(exact, places + 1), places, verb);
  if (verb === "f") return withPoint(roundHalfEven(exact, exact.point + places), places);
  const letter = verb === "g" ? "e" : "E";
  const decimal =
    precision !== undefined
      ? roundHalfEven(exact, precision || 1)
      : mantissa === 0n
        ? exact
        : shortestDecimal(positive, precisionOf(number));
  return withExponentIfLong(decimal, precision === undefined ? undefined : precision || 1, letter);
}

/** Formats as `%g`: with an exponent if the number is below 0.0001, or too large for its precision; without a precision, from a million. */
function withExponentIfLong(decimal: Decimal, precision: number | undefined, letter: string): string {
  const { digits, point } = decimal;
  const significant = precision ?? digits.length;
  const threshold = precision === undefined ? 6 : precision > digits.length && digits.length >= point ? digits.length : precision;
  if (point - 1 < -4 || point - 1 >= threshold) return withExponent(decimal, Math.min(significant, digits.length) - 1, letter);
  return withPoint(decimal, Math.max((significant > point ? digits.length : significant) - point, 0));
}

function withExponent({ digits, point }: Decimal, places: number, letter: string): string {
  const fraction = places > 0 ? `.${digits.slice(1, places + 1).padEnd(places, "0")}` : "";
  const exponent = digits === "" ? 0 : point - 1;
  return `${digits[0] ?? "0"}${fraction}${letter}${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function withPoint({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (places <= 0) return whole;
  const zeros = Math.min(places, Math.max(0, -point));
  return `${whole}.${"0".repeat(zeros)}${digits.slice(Math.max(0, point), Math.max(0, point) + places - zeros).padEnd(places - zeros, "0")}`;
}

/** A number as Go's `%v` writes it. */
export function formatPlain(number: NumberPayload): string {
  return shortestScientificText(binaryOf(number), precisionOf(number));
}
