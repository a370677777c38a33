// SPDX-License-Identifier: Apache-2.0
import { misuse } from "../error/error.ts";
import { isInfinite, rounded } from "../binary/binary.ts";
import { binaryOf, numberFromBinary, precisionOf } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { isNumberPayload, unmarkedPayload } from "../payload/payload.ts";
import type { NumberType } from "../model/type.ts";
import type { Value } from "../model/value.ts";
import { number } from "../type/type.ts";
import { valueOf } from "../value/value.ts";
import { withMarks, unmark } from "../value/marks.ts";

/** Largest precision, in bits, that {@link withPrecision} accepts. */
const maxPrecision = 65_536;

/**
 * Precision of a known number: the bits of its mantissa, from which the precision of arithmetic results and the digits of its text
 * follow. 512 for a number read from text, 64 for an integer, 53 for a double, 0 for the constants of infinity.
 *
 * @throws CtyError `MISUSE` for a value that is not a known number.
 * @see go math/big Float.Prec
 */
export function precision(value: Value): number {
  return precisionOf(numberOf(value));
}

/**
 * The number with another precision, rounded to the nearest value that has it, ties to even. Marks are kept.
 *
 * @param bits Precision in bits, from 1 to 65,536.
 * @throws CtyError `MISUSE` for a value that is not a known number, and for a precision out of range.
 * @see go math/big Float.SetPrec
 */
export function withPrecision(value: Value, bits: number): Value<NumberType> {
  const binary = binaryOf(numberOf(value));
  if (!Number.isInteger(bits) || bits < 1 || bits > maxPrecision) {
    throw misuse(`a precision must be an integer from 1 to ${maxPrecision}, not ${bits}`);
  }
  const exact = isInfinite(binary) ? binary : rounded(binary.negative, binary.mantissa, binary.exponent, bits);
  return withMarks(valueOf(number, numberFromBinary(exact, bits)), unmark(value)[1]);
}

function numberOf({ type, payload }: Value): NumberPayload {
  const plain = unmarkedPayload(payload);
  if (type !== number || !isNumberPayload(plain)) throw misuse("only a known number has a precision");
  return plain;
}
