// SPDX-License-Identifier: Apache-2.0
import { bitLength, infinity, isInfinite, maxExponent, minExponent, rounded, zero, type Binary } from "./binary.ts";

/** Precision in bits of a number that was read from text. @see go-cty ParseNumberVal */
export const textPrecision = 512;

const grammar: RegExp = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eEpP])([+-]?\d+))?$/;
const infinite: RegExp = /^([+-]?)[iI]nf$/;

/**
 * Parses a number as Go's `big.ParseFloat(text, 10, 512, ToNearestEven)` does: decimal digits, a decimal exponent after `e` or a
 * binary one after `p`, `Inf` and `inf`. Returns undefined for anything else.
 */
export function parseBinary(text: string): Binary | undefined {
  const match = grammar.exec(text);
  if (match === null) {
    const special = infinite.exec(text);
    return special === null ? undefined : infinity(special[1] === "-");
  }
  const [, sign, whole = "", fraction = "", base, power] = match;
  if (whole === "" && fraction === "") return undefined;
  const written = power === undefined ? 0n : BigInt(power);
  if (BigInt.asIntN(64, written) !== written) return undefined;
  const negative = sign === "-";
  const mantissa = BigInt(whole + fraction);
  if (mantissa === 0n) return zero(negative);

  // 10^n is 5^n × 2^n: only the power of five can cost precision.
  const binaryBase = base === "p" || base === "P";
  const powerOfFive = Number(written) * (binaryBase ? 0 : 1) - fraction.length;
  const powerOfTwo = Number(written) - fraction.length;
  const top = powerOfTwo + bitLength(mantissa);
  if (top > maxExponent || top < minExponent) return undefined;
  const five = powOfFive(Math.abs(powerOfFive));
  if (powerOfFive >= 0) {
    return isInfinite(five) ? infinity(negative) : rounded(negative, mantissa * five.mantissa, powerOfTwo + five.exponent, textPrecision);
  }
  if (isInfinite(five)) return zero(negative);
  return quotient(negative, mantissa, powerOfTwo, five);
}

/** Returns `mantissa × 2^exponent / divisor`, rounded once. */
function quotient(negative: boolean, mantissa: bigint, exponent: number, divisor: Binary): Binary {
  const bits = bitLength(mantissa) - divisor.bits;
  const shift = Math.max(0, textPrecision + 2 - bits);
  const dividend = mantissa << BigInt(shift);
  const whole = dividend / divisor.mantissa;
  const more = whole * divisor.mantissa !== dividend;
  return rounded(negative, whole, exponent - shift - divisor.exponent, textPrecision, more);
}

/** Precision of powers of five in Go: 64 bits more than the result has, and 64 more for squares. */
const powerPrecision = textPrecision + 64;
const squarePrecision = powerPrecision + 64;
const tableEnd = 27;
const powers = new Map<number, Binary>();

/**
 * Returns 5^n. It is exact up to n = 248. Beyond that, each step of the exponentiation by squaring is rounded as in Go, because
 * results for large exponents depend on it. @see go math/big Float.pow5
 */
function powOfFive(n: number): Binary {
  const known = powers.get(n);
  if (known !== undefined) return known;
  let result: Binary = rounded(false, 5n ** BigInt(Math.min(n, tableEnd)), 0, powerPrecision);
  let square: Binary = { negative: false, mantissa: 5n, exponent: 0, bits: 3 };
  for (let rest = n - Math.min(n, tableEnd); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, square, powerPrecision);
    square = product(square, square, squarePrecision);
  }
  if (n <= 1024) powers.set(n, result);
  return result;
}

function product(a: Binary, b: Binary, precision: number): Binary {
  if (isInfinite(a) || isInfinite(b)) return infinity(false);
  return rounded(false, a.mantissa * b.mantissa, a.exponent + b.exponent, precision);
}
