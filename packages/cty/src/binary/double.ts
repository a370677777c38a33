// SPDX-License-Identifier: Apache-2.0
import { isInfinite, topExponent, type Binary } from "./binary.ts";

/** Returns the double that has exactly this value; undefined if there is none. */
export function exactDouble(x: Binary): number | undefined {
  const sign = x.negative ? -1 : 1;
  if (x.mantissa === 0n) return x.negative ? -0 : 0;
  if (isInfinite(x)) return sign * Infinity;
  if (x.bits > 53 || x.exponent < -1074 || topExponent(x) > 1024) return undefined;
  // Two steps, because 2^exponent alone may be smaller than the smallest double.
  const half = Math.trunc(x.exponent / 2);
  return sign * Number(x.mantissa) * 2 ** half * 2 ** (x.exponent - half);
}

/** Returns a double as Go's `%#v` prints it: shortest digits, with an exponent below 1e-4 and from 1e6. */
export function doubleGoText(x: number): string {
  if (!Number.isFinite(x)) return x > 0 ? "+Inf" : "-Inf";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) {
    const [digits, exponent] = x.toExponential().split("e");
    return `${digits}e${exponent!.replace(/^([+-])(\d)$/, "$10$2")}`;
  }
  return String(x);
}
