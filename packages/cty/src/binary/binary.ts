// SPDX-License-Identifier: Apache-2.0

/**
 * An exact number: `±mantissa × 2^exponent`. The mantissa is odd, or 0 for zero; a result of arithmetic has an even one until it is
 * {@link reduced}. Infinity has exponent `Infinity`.
 */
export interface Binary {
  readonly negative: boolean;
  readonly mantissa: bigint;
  readonly exponent: number;
  /** Number of bits of the mantissa. */
  readonly bits: number;
}

/** Largest exponent. Beyond it, Go's big.Float becomes infinite. */
export const maxExponent: number = 2 ** 31 - 1;
/** Smallest exponent. Below it, Go's big.Float becomes zero. */
export const minExponent: number = -(2 ** 31);

/** Returns zero with the given sign. */
export function zero(negative: boolean): Binary {
  return { negative, mantissa: 0n, exponent: 0, bits: 0 };
}

/**
 * Returns infinity with the given sign. Because of the order of its properties it does not share V8's description of finite numbers, which
 * would then have a number object for each exponent.
 */
export function infinity(negative: boolean): Binary {
  return { exponent: Infinity, negative, mantissa: 1n, bits: 1 };
}

/** Whether the number is infinite. */
export function isInfinite(x: Binary): boolean {
  return x.exponent === Infinity;
}

/** Whether the number is an integer. Infinity is not. */
export function isInteger(x: Binary): boolean {
  return x.exponent >= 0 && x.exponent !== Infinity;
}

/** Eight bytes through which numbers are read as bits. */
export const view: DataView = new DataView(new ArrayBuffer(8));

/** Returns the number of bits of a positive integer. */
export function bitLength(n: bigint): number {
  view.setFloat64(0, Number(n));
  const bits = (view.getUint32(0) >>> 20) - 1022;
  // The integer is larger than any double.
  if (bits > 1024) return n.toString(2).length;
  // A double may have been rounded up to the next power of two.
  return n < powerOfTwo(bits - 1) ? bits - 1 : bits;
}

/** Returns the exponent after the first bit of the number: 1 for 1, 2 for 2 and 3, 0 for 0.5. */
export function topExponent(x: Binary): number {
  return x.exponent + x.bits;
}

/** Returns the last 32 bits of an integer, as a signed integer. V8 compiles this to a few instructions, unlike `Number(…)`. */
export function lastBits(n: bigint): number {
  view.setBigUint64(0, n);
  return view.getInt32(4);
}

/** Returns the number with an odd mantissa. */
export function reduced(x: Binary): Binary {
  let { mantissa, exponent } = x;
  if (mantissa === 0n) return x;
  let last = lastBits(mantissa);
  while (last === 0) {
    mantissa >>= 32n;
    exponent += 32;
    last = lastBits(mantissa);
  }
  const zeros = 31 - Math.clz32(last & -last);
  if (zeros > 0) mantissa >>= BigInt(zeros);
  exponent += zeros;
  return exponent === x.exponent ? x : { negative: x.negative, mantissa, exponent, bits: topExponent(x) - exponent };
}

/** Powers of two below 2^2048 that were used. */
// oxlint-disable-next-line unicorn/no-new-array -- an array that grows to a distant index becomes a hash table
const powersOfTwo = new Array<bigint | undefined>(2048);
/** Numbers of bits that were used to shift. V8 makes a bigint of a number in a function call of its runtime. */
// oxlint-disable-next-line unicorn/no-new-array -- as above
const shifts = new Array<bigint | undefined>(2048);

/** Returns `BigInt(bits)`. */
export function shiftOf(bits: number): bigint {
  return bits < 2048 ? (shifts[bits] ??= BigInt(bits)) : BigInt(bits);
}

/** Returns 2^n. */
export function powerOfTwo(n: number): bigint {
  return n < 2048 ? (powersOfTwo[n] ??= 1n << shiftOf(n)) : 1n << shiftOf(n);
}

/**
 * Returns the nearest number with at most `precision` bits of mantissa, ties to even. Its mantissa may be even: most results are only
 * operands of the next operation, and reducing them takes as long as an addition.
 *
 * @param bits - number of bits of the mantissa, which must not be 0.
 * @param more - whether the number is slightly larger than `mantissa × 2^exponent`. The mantissa must then have more than `precision` bits.
 */
export function nearest(negative: boolean, mantissa: bigint, exponent: number, bits: number, precision: number, more: boolean): Binary {
  const excess = bits - precision;
  let kept = mantissa;
  let scale = exponent;
  let length = bits;
  if (excess > 0) {
    // The kept bits, and up to 32 of those that are dropped.
    const shown = Math.min(excess, 32);
    const wide = excess === shown ? mantissa : mantissa >> shiftOf(excess - shown);
    kept = wide >> shiftOf(shown);
    scale += excess;
    length = precision;
    const dropped = lastBits(wide) << (32 - shown);
    const isHalf = dropped === -0x80000000 && !more && (excess === shown || BigInt.asUintN(excess - shown, mantissa) === 0n);
    if (isHalf ? (lastBits(kept) & 1) === 1 : dropped < 0) {
      kept += 1n;
      // All bits were ones: the result is the next power of two.
      if (kept === powerOfTwo(precision)) length++;
    }
  }
  const top = scale + length;
  if (top > maxExponent) return infinity(negative);
  if (top < minExponent) return zero(negative);
  return { negative, mantissa: kept, exponent: scale, bits: length };
}

/**
 * Returns the nearest number with at most `precision` bits of mantissa, ties to even.
 *
 * @param more - whether the number is slightly larger than `mantissa × 2^exponent`. The mantissa must then have more than `precision` bits.
 */
export function rounded(negative: boolean, mantissa: bigint, exponent: number, precision: number, more = false): Binary {
  return mantissa === 0n ? zero(negative) : reduced(nearest(negative, mantissa, exponent, bitLength(mantissa), precision, more));
}

/** Returns the exact value of a double, which must not be NaN. */
export function fromDouble(x: number): Binary {
  const negative = x < 0 || Object.is(x, -0);
  if (x === 0) return zero(negative);
  if (!Number.isFinite(x)) return infinity(negative);
  view.setFloat64(0, x);
  const biased = (view.getUint32(0) >>> 20) & 0x7ff;
  const fraction = BigInt.asUintN(52, view.getBigUint64(0));
  return rounded(negative, biased === 0 ? fraction : fraction | (1n << 52n), (biased || 1) - 1075, 53);
}

/** Returns an integer rounded to the given precision. */
export function fromInteger(n: bigint, precision: number): Binary {
  return rounded(n < 0n, n < 0n ? -n : n, 0, precision);
}

/** Returns the integer part, rounded towards zero. The number must be finite. */
export function truncated(x: Binary): bigint {
  // A shift to the left by a negative number is one to the right.
  const size = x.mantissa << BigInt(x.exponent);
  return x.negative ? -size : size;
}

/** Compares two numbers exactly: negative, zero or positive. -0 equals 0. */
export function compare(a: Binary, b: Binary): number {
  const left = sign(a);
  const right = sign(b);
  if (left !== right || left === 0) return left - right;
  // Two infinities have the difference NaN.
  return (left < 0 ? compareMagnitude(b, a) : compareMagnitude(a, b)) || 0;
}

/** Returns the sign of the number: -1, 0 or 1. */
export function sign(x: Binary): -1 | 0 | 1 {
  return x.mantissa === 0n ? 0 : x.negative ? -1 : 1;
}

function compareMagnitude(a: Binary, b: Binary): number {
  const difference = topExponent(a) - topExponent(b);
  if (difference !== 0) return difference;
  // The top exponents are equal, so the shift is at most the length of a mantissa.
  const shift = a.exponent - b.exponent;
  const left = a.mantissa << BigInt(Math.max(0, shift));
  const right = b.mantissa << BigInt(Math.max(0, -shift));
  return left < right ? -1 : left > right ? 1 : 0;
}
