// SPDX-License-Identifier: Apache-2.0

/** A number as `±mantissa × 2^exponent`, exactly. The mantissa is odd, or 0 for zero; infinity has exponent `Infinity`. */
export interface Binary {
  readonly negative: boolean;
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Beyond these, Go's big.Float becomes infinite or zero. */
const maxExponent = 2 ** 31 - 1;
const minExponent = -(2 ** 31);

export function zero(negative: boolean): Binary {
  return { negative, mantissa: 0n, exponent: 0 };
}

export function infinity(negative: boolean): Binary {
  return { negative, mantissa: 1n, exponent: Infinity };
}

export function isInfinite(x: Binary): boolean {
  return x.exponent === Infinity;
}

export function isInteger(x: Binary): boolean {
  return x.exponent >= 0 && x.exponent !== Infinity;
}

const view = new DataView(new ArrayBuffer(8));

/** How many bits a positive integer takes. */
export function bitLength(n: bigint): number {
  view.setFloat64(0, Number(n));
  const high = view.getUint32(0);
  if (high === infiniteHigh) return n.toString(2).length;
  const bits = (high >>> 20) - 1022;
  // A double may have been rounded up to the next power of two.
  return (high & 0xfffff) === 0 && view.getUint32(4) === 0 && n >> BigInt(bits - 1) === 0n ? bits - 1 : bits;
}

/** The upper half of the double for infinity. */
const infiniteHigh = 0x7ff00000;

/** Where the number's first bit stands: 1 for 1, 2 for 2 and 3, 0 for 0.5. */
export function topExponent(x: Binary): number {
  return x.exponent + bitLength(x.mantissa);
}

function trailingZeros(n: bigint): number {
  let zeros = 0;
  let rest = n;
  let word = Number(BigInt.asUintN(32, rest));
  while (word === 0) {
    rest >>= 32n;
    zeros += 32;
    word = Number(BigInt.asUintN(32, rest));
  }
  return zeros + 31 - Math.clz32(word & -word);
}

/**
 * The nearest number with at most `precision` bits of mantissa, ties to even.
 *
 * @param more says that the number is a little larger than `mantissa × 2^exponent`; the mantissa must then have more bits than wanted.
 */
export function rounded(negative: boolean, mantissa: bigint, exponent: number, precision: number, more = false): Binary {
  if (mantissa === 0n) return zero(negative);
  let kept = mantissa;
  let scale = exponent;
  const bits = bitLength(mantissa);
  let top = exponent + bits;
  const excess = bits - precision;
  if (excess > 0) {
    kept = mantissa >> BigInt(excess);
    scale += excess;
    const below = mantissa >> BigInt(excess - 1);
    const halfOrMore = Number(BigInt.asUintN(1, below)) === 1;
    const odd = Number(BigInt.asUintN(1, kept)) === 1;
    if (halfOrMore && (odd || more || BigInt.asUintN(excess - 1, mantissa) !== 0n)) {
      kept += 1n;
      top = scale + bitLength(kept);
    }
  }
  const zeros = trailingZeros(kept);
  if (zeros > 0) kept >>= BigInt(zeros);
  scale += zeros;
  if (top > maxExponent) return infinity(negative);
  if (top < minExponent) return zero(negative);
  return { negative, mantissa: kept, exponent: scale };
}

/** A double's exact value; NaN is the caller's to refuse. */
export function fromDouble(x: number): Binary {
  const negative = x < 0 || Object.is(x, -0);
  if (x === 0) return zero(negative);
  if (!Number.isFinite(x)) return infinity(negative);
  view.setFloat64(0, x);
  const high = view.getUint32(0) & 0x7fffffff;
  const biased = high >>> 20;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(view.getUint32(4));
  return biased === 0 ? rounded(negative, fraction, -1074, 53) : rounded(negative, fraction | (1n << 52n), biased - 1075, 53);
}

export function fromInteger(n: bigint, precision: number): Binary {
  return n < 0n ? rounded(true, -n, 0, precision) : rounded(false, n, 0, precision);
}

/** The integer part, towards zero; not for infinity. */
export function truncated(x: Binary): bigint {
  const size = x.exponent >= 0 ? x.mantissa << BigInt(x.exponent) : x.mantissa >> BigInt(-x.exponent);
  return x.negative ? -size : size;
}

/** Exact comparison: negative, zero or positive. -0 equals 0. */
export function compare(a: Binary, b: Binary): number {
  const left = sign(a);
  const right = sign(b);
  if (left !== right || left === 0) return left - right;
  return left < 0 ? compareMagnitude(b, a) : compareMagnitude(a, b);
}

export function sign(x: Binary): -1 | 0 | 1 {
  return x.mantissa === 0n ? 0 : x.negative ? -1 : 1;
}

function compareMagnitude(a: Binary, b: Binary): number {
  if (a.exponent === b.exponent) return a.mantissa < b.mantissa ? -1 : a.mantissa > b.mantissa ? 1 : 0;
  const difference = topExponent(a) - topExponent(b);
  if (difference !== 0) return difference;
  // The tops agree, so the shift is no larger than a mantissa.
  const shift = a.exponent - b.exponent;
  const left = shift > 0 ? a.mantissa << BigInt(shift) : a.mantissa;
  const right = shift < 0 ? b.mantissa << BigInt(-shift) : b.mantissa;
  return left < right ? -1 : left > right ? 1 : 0;
}
