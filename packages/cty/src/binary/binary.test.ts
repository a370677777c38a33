// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { rounded, truncated, type Binary } from "./binary.ts";

/** Rounds by the definition, bit by bit. */
function roundedByDefinition(mantissa: bigint, exponent: number, precision: number, more: boolean): Binary {
  const excess = mantissa.toString(2).length - precision;
  let kept = excess > 0 ? mantissa >> BigInt(excess) : mantissa;
  let scale = exponent + Math.max(0, excess);
  if (excess > 0) {
    const rest = mantissa - (kept << BigInt(excess));
    const half = 1n << BigInt(excess - 1);
    if (rest > half || (rest === half && (more || kept % 2n === 1n))) kept += 1n;
  }
  while (kept % 2n === 0n) {
    kept /= 2n;
    scale++;
  }
  return { negative: false, mantissa: kept, exponent: scale, bits: kept.toString(2).length };
}

/** Integers with long runs of ones and zeros, where carries and ties occur. */
const mantissas: fc.Arbitrary<bigint> = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 70 })), { minLength: 1, maxLength: 8 })
  .map((runs) => runs.reduce((bits, [one, length]) => (bits << BigInt(length)) | (one ? (1n << BigInt(length)) - 1n : 0n), 1n));

describe("rounded", () => {
  test("rounds to the nearest number, ties to even", ({ expect }) => {
    fc.assert(
      fc.property(
        mantissas,
        fc.integer({ min: -600, max: 600 }),
        fc.integer({ min: 1, max: 520 }),
        fc.boolean(),
        (mantissa, exponent, precision, extra) => {
          const more = extra && mantissa.toString(2).length > precision;
          expect(rounded(false, mantissa, exponent, precision, more)).toEqual(roundedByDefinition(mantissa, exponent, precision, more));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("carries through all kept bits", ({ expect }) => {
    for (const length of [2, 31, 32, 33, 34, 64, 513]) {
      const ones = (1n << BigInt(length)) - 1n;
      expect(rounded(false, ones, 0, length - 1)).toEqual({ negative: false, mantissa: 1n, exponent: length, bits: 1 });
    }
  });

  test("becomes infinite where a carry exceeds the largest exponent", ({ expect }) => {
    const ones = (1n << 64n) - 1n;
    expect(rounded(false, ones, 2 ** 31 - 1 - 64, 63).exponent).toBe(Infinity);
    expect(rounded(false, ones, 2 ** 31 - 1 - 64, 64).exponent).not.toBe(Infinity);
  });

  test("keeps integers that fit", ({ expect }) => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 200n }), (integer) => {
        expect(truncated(rounded(false, integer, 0, 512))).toBe(integer);
      }),
    );
  });
});
