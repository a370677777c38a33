// SPDX-License-Identifier: Apache-2.0
import { isInfiniteNumber, numberFromText, numberSign, numberText, type NumberPayload } from "@tenon/cty/unstable/payload";
import { HclError } from "../error.ts";

/** There is no word for infinity, but a number that is too large is read as it. */
const infinity = "1e999999999";
/** An exponent is written where it saves so many characters. */
const worthwhile = 20;

/** A number as it is written; one below zero has a sign, which the language takes for an operator. */
export function numberLiteral(payload: NumberPayload): string {
  if (isInfiniteNumber(payload)) return numberSign(payload) < 0 ? `-${infinity}` : infinity;
  const plain = plainText(payload);
  const short = withExponent(plain);
  // The reader rounds very large powers of ten as the Go library does, which is not always to the nearest number.
  return plain.length - short.length >= worthwhile && isSameNumber(short, plain) ? short : plain;
}

/** The same without a point, which behind a dot would begin an index of its own. */
export function numberWithoutPoint(payload: NumberPayload): string {
  const literal = numberLiteral(payload);
  return literal.includes(".") ? withExponent(literal) : literal;
}

function plainText(payload: NumberPayload): string {
  try {
    return numberText(payload);
  } catch (cause) {
    throw new HclError("UNPRINTABLE", "a number that large, or that near to zero, cannot be written in HCL", { cause });
  }
}

/** Decimal notation without a point, and without zeros at either end. */
function withExponent(plain: string): string {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain)!;
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return plain;
  return `${sign}${digits}e${all.length - digits.length - fraction.length}`;
}

function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [numberFromText(one), numberFromText(other)];
  return a !== undefined && b !== undefined && numberText(a) === numberText(b);
}
