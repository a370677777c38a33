// SPDX-License-Identifier: Apache-2.0
/*
 * Logarithm, exponential and power of doubles, with the exact results of Go on amd64. JavaScript leaves the last bits of these
 * functions to the engine. V8's results differ from Go's in the last bit; for powers, in one of four cases. The algorithms are
 * public: FreeBSD's e_log.c for the logarithm, Naoki Shibata's (2010) for the exponential, repeated squaring for the power.
 */

const view = new DataView(new ArrayBuffer(8));

/** Splits a double into `fraction × 2^exponent`, with the fraction in [½, 1). */
function split(x: number): { readonly fraction: number; readonly exponent: number } {
  if (x === 0 || !Number.isFinite(x)) return { fraction: x, exponent: 0 };
  const subnormal = Math.abs(x) < 2 ** -1022;
  view.setFloat64(0, subnormal ? x * 2 ** 52 : x);
  const high = view.getUint32(0);
  view.setUint32(0, (high & 0x800fffff) | 0x3fe00000);
  return { fraction: view.getFloat64(0), exponent: ((high >>> 20) & 0x7ff) - 1022 - (subnormal ? 52 : 0) };
}

/** `fraction × 2^exponent`, rounded once if the result is subnormal. */
function scale(fraction: number, exponent: number): number {
  if (fraction === 0 || !Number.isFinite(fraction)) return fraction;
  const parts = split(fraction);
  const first = parts.exponent + exponent - 1;
  if (first < -1075) return fraction < 0 ? -0 : 0;
  if (first > 1023) return fraction < 0 ? -Infinity : Infinity;
  const size = parts.fraction * 2;
  return first >= -1022 ? size * 2 ** first : size * 2 ** (first + 53) * 2 ** -53;
}

const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

/** The natural logarithm. @see go math.Log */
export function log(x: number): number {
  if (x === 0) return -Infinity;
  if (x < 0) return Number.NaN;
  if (!Number.isFinite(x)) return x;
  let { fraction, exponent } = splitNormal(x);
  if (fraction <= Math.SQRT1_2) {
    fraction *= 2;
    exponent--;
  }
  const f = fraction - 1;
  const s = f / (2 + f);
  const s2 = s * s;
  const s4 = s2 * s2;
  const odd = s2 * (0.6666666666666735 + s4 * (0.2857142874366239 + s4 * (0.1818357216161805 + s4 * 0.14798198605116586)));
  const even = s4 * (0.3999999999940942 + s4 * (0.22222198432149784 + s4 * 0.15313837699209373));
  const half = 0.5 * f * f;
  return exponent * ln2High - (half - (s * (half + (odd + even)) + exponent * ln2Low) - f);
}

/** Like {@link split}, but reads the bits of a subnormal number as those of a normal number, like Go's code for amd64. */
function splitNormal(x: number): { fraction: number; exponent: number } {
  view.setFloat64(0, x);
  const high = view.getUint32(0);
  view.setUint32(0, (high & 0xfffff) | 0x3fe00000);
  return { fraction: view.getFloat64(0), exponent: ((high >>> 20) & 0x7ff) - 1022 };
}

/** `a × b + c`, rounded once. */
function fusedMultiplyAdd(a: number, b: number, c: number): number {
  const product = a * b;
  if (!Number.isFinite(product) || !Number.isFinite(c) || product === 0) return product + c;
  const x = exact(a);
  const y = exact(b);
  const z = exact(c);
  const exponent = Math.min(x.exponent + y.exponent, z.exponent);
  const sum = ((x.integer * y.integer) << BigInt(x.exponent + y.exponent - exponent)) + (z.integer << BigInt(z.exponent - exponent));
  return nearest(sum, exponent);
}

function exact(x: number): { readonly integer: bigint; readonly exponent: number } {
  const { fraction, exponent } = split(x);
  return { integer: BigInt(fraction * 2 ** 53), exponent: exponent - 53 };
}

/** The double nearest to `integer × 2^exponent`, for results that are not subnormal. */
function nearest(integer: bigint, exponent: number): number {
  // The conversion of a bigint rounds to the nearest double, ties to even.
  const excess = Math.max(0, integer.toString(2).length - 200);
  if (excess === 0) return scale(Number(integer), exponent);
  const sticky = BigInt.asUintN(excess, integer) === 0n ? 0n : 1n;
  return scale(Number((integer >> BigInt(excess)) | sticky), exponent + excess);
}

const factorials: readonly number[] = [
  2.48015873015873e-5, 0.0001984126984126984, 0.001388888888888889, 0.008333333333333333, 0.041666666666666664, 0.16666666666666666, 0.5, 1,
];

/** The exponential function, as Go computes it on a processor with fused multiply-add. @see go math.Exp */
export function exp(x: number): number {
  if (Number.isNaN(x) || x === Infinity) return x;
  if (x === -Infinity) return 0;
  if (x > 709.782712893384) return Infinity;
  const exponent = roundHalfEven(Math.LOG2E * x);
  let rest = fusedMultiplyAdd(-0.693147180559663, exponent, x);
  rest = fusedMultiplyAdd(-2.8235290563031577e-13, exponent, rest);
  rest *= 0.0625;
  let sum = factorials[0]!;
  for (const coefficient of factorials.slice(1)) sum = fusedMultiplyAdd(sum, rest, coefficient);
  // e^r - 1 for a sixteenth of the rest, then squared four times.
  let result = rest * sum;
  for (let step = 0; step < 3; step++) result *= 2 + result;
  return scaledPower(fusedMultiplyAdd(result, 2 + result, 1), exponent);
}

function roundHalfEven(x: number): number {
  if (Math.abs(x) >= 2 ** 31) return -(2 ** 31);
  const low = Math.floor(x);
  const rest = x - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** `fraction × 2^exponent`, with subnormal results rounded as in Go. */
function scaledPower(fraction: number, exponent: number): number {
  const biased = exponent + 1023;
  if (biased > 0) return biased >= 2047 ? Infinity : fraction * 2 ** exponent;
  if (biased < -52) return 0;
  return fraction * 2 ** (exponent + 1022) * 2 ** -1022;
}

/** A number raised to a power. @see go math.Pow */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === 0) {
    const size = y < 0 ? Infinity : 0;
    return Object.is(x, -0) && isOdd(y) ? -size : size;
  }
  if (!Number.isFinite(y)) return x === -1 ? 1 : Math.abs(x) < 1 === y > 0 ? 0 : Infinity;
  if (x === -Infinity) return pow(-0, -y);
  if (x === Infinity) return y < 0 ? 0 : Infinity;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -0.5) return 1 / Math.sqrt(x);
  return finitePower(x, y);
}

function isOdd(x: number): boolean {
  return Math.abs(x) < 2 ** 53 && x % 2 !== 0 && Number.isInteger(x);
}

function finitePower(x: number, y: number): number {
  let whole = Math.trunc(Math.abs(y));
  let fraction = Math.abs(y) - whole;
  if (fraction !== 0 && x < 0) return Number.NaN;
  if (whole >= 2 ** 63) return x === -1 ? 1 : Math.abs(x) < 1 === y > 0 ? 0 : Infinity;
  let result = 1;
  let exponent = 0;
  if (fraction !== 0) {
    if (fraction > 0.5) {
      fraction--;
      whole++;
    }
    result = exp(fraction * log(x));
  }
  let { fraction: square, exponent: shift } = split(x);
  for (let rest = BigInt(whole); rest !== 0n; rest >>= 1n) {
    if (shift < -4096 || shift > 4096) {
      // The result overflows or underflows, whatever the remaining steps add.
      exponent += shift;
      break;
    }
    if ((rest & 1n) === 1n) {
      result *= square;
      exponent += shift;
    }
    square *= square;
    shift *= 2;
    if (square < 0.5) {
      square += square;
      shift--;
    }
  }
  return y < 0 ? scale(1 / result, -exponent) : scale(result, exponent);
}
