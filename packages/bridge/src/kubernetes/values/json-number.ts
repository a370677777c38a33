// SPDX-License-Identifier: Apache-2.0
import { type BigFloat, number, of, string, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { numberText, numberToBigint, numberToDouble, valueOf } from "@tenon/cty/unstable/payload";

/** A number as JSON, and whether the API server keeps it. */
export interface JsonNumber {
  readonly json: number | bigint;
  /** Whether the API server would keep the value: it stores 64-bit integers and doubles. */
  readonly isExact: boolean;
}

const largestInteger = 2n ** 63n;

/** Converts a number of the provider. One that the API server cannot keep becomes the nearest double. */
export function jsonNumber(payload: Parameters<typeof numberText>[0]): JsonNumber {
  const double = numberToDouble(payload);
  const integer = numberToBigint(payload);
  if (integer !== undefined && -largestInteger <= integer && integer < largestInteger) {
    return { json: Number.isSafeInteger(Number(integer)) ? Number(integer) : integer, isExact: true };
  }
  const nearest = double ?? Number(numberText(payload));
  // JSON has no infinity: the largest double is the nearest.
  if (!Number.isFinite(nearest)) return { json: Math.sign(nearest) * Number.MAX_VALUE, isExact: false };
  return { json: nearest, isExact: double !== undefined };
}

/** Converts a number of JSON to the decimal number that its text is, as the CLIs read a number of a configuration. */
export function numberValue(json: number | bigint | BigFloat): Value {
  if (typeof json === "object") return valueOf(number, json);
  if (typeof json === "bigint" || Number.isSafeInteger(json)) return of(number, json);
  return convert(of(string, String(json)), number);
}
