// SPDX-License-Identifier: Apache-2.0
import type { Binary } from "../binary/binary.ts";

/**
 * A number that no JavaScript number represents: a binary floating-point number with its own precision. The precision decides
 * how results of arithmetic are rounded and how many digits the text has. Immutable.
 */
export interface BigFloat {
  readonly kind: "number";
  /** Bits of mantissa: 512 for numbers read from text, 64 for integers, 53 for doubles. */
  readonly precision: number;
  /** The exact value. */
  readonly binary: Binary;
  /** Returns the number in decimal notation without an exponent, or `+Inf` or `-Inf`. */
  toString(): string;
  /** Returns the same text as {@link toString}. */
  toJSON(): string;
}

/**
 * The payload of a known number. A JavaScript number stands for exactly what msgpack would deliver: a safe integer for an integer
 * with 64 bits of precision, and any other number for a double (53 bits). -0, integral doubles and all other numbers are
 * {@link BigFloat}s.
 */
export type NumberPayload = number | BigFloat;
