// SPDX-License-Identifier: Apache-2.0
import { type BigFloat, number, of, string, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { numberText, numberToBigint, numberToDouble, valueOf } from "@tenon/cty/unstable/payload";

/** A number as JSON. */
export interface JsonNumber {
  readonly json: number | bigint;
  /** Whether the API server can store the number exactly. It stores 64-bit integers and doubles. */
  readonly isExact: boolean;
}

const largestInteger = 2n ** 63n;

/** Converts a number of the provider. A number that the API server cannot store exactly becomes the nearest double. */
export function jsonNumber(payload: Parameters<typeof numberText>[0]): JsonNumber {
  const double = numberToDouble(payload);
  const integer = numberToBigint(payload);
  if (integer !== undefined && -largestInteger <= integer && integer < largestInteger) {
    return { json: Number.isSafeInteger(Number(integer)) ? Number(integer) : integer, isExact: true };
  }
  const nearest = double ?? Number(numberText(payload));
  // JSON has no infinity, so the largest double is the nearest one.
  if (!Number.isFinite(nearest)) return { json: Math.sign(nearest) * Number.MAX_VALUE, isExact: false };
  return { json: nearest, isExact: double !== undefined };
}

/** Converts a number of JSON to a value: the decimal number of its text, as the CLIs read numbers in a configuration. */
export function numberValue(json: number | bigint | BigFloat): Value {
  if (typeof json === "object") return valueOf(number, json);
  if (typeof json === "bigint" || Number.isSafeInteger(json)) return of(number, json);
  return convert(of(string, String(json)), number);
}
