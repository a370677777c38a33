// SPDX-License-Identifier: Apache-2.0
import { isInfiniteNumber, numberFromText, numberSign, numberText, type NumberPayload } from "@tenon/cty/unstable/payload";
import { HclError } from "../error.ts";

/** Literal for infinity: a number that is too large is parsed as infinity. */
const infinity = "1e999999999";
/** Minimum number of characters that an exponent must save. */
const minimumSaving = 20;

/** Text of a number. The sign of a negative number is an operator in the language. */
export function numberLiteral(payload: NumberPayload): string {
  if (isInfiniteNumber(payload)) return numberSign(payload) < 0 ? `-${infinity}` : infinity;
  const plain = plainText(payload);
  const short = withExponent(plain);
  // The parser rounds very large powers of ten as the Go library does, which is not always to the nearest number.
  return plain.length - short.length >= minimumSaving && isSameNumber(short, plain) ? short : plain;
}

/** Text of a number without a decimal point, which would start another index after a dot. */
export function numberWithoutPoint(payload: NumberPayload): string {
  const literal = numberLiteral(payload);
  return literal.includes(".") ? withExponent(literal) : literal;
}

function plainText(payload: NumberPayload): string {
  try {
    return numberText(payload);
  } catch (cause) {
    throw new HclError("UNPRINTABLE", "a number this large or this close to zero cannot be written in HCL", { cause });
  }
}

/** Notation with an exponent, without a point and without zeros at either end. */
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
