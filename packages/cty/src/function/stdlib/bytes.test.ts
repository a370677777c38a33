// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { dynamic, mark, number, of, same, string, toJs, unknown } from "../../index.ts";
import { bytes, bytesLenFunc, bytesOf, bytesSliceFunc } from "./bytes.ts";

const four = Uint8Array.of(1, 2, 3, 4);

test("bytesLenFunc returns the number of bytes", ({ expect }) => {
  expect(outcome(bytesLenFunc, bytesOf(four))).toBe("NumberIntVal(4)");
  expect(outcome(bytesLenFunc, mark(bytesOf(four), "m"))).toBe('NumberIntVal(4).Mark("m")');
  expect(outcome(bytesLenFunc, unknown(dynamic))).toBe("UnknownVal(Number).RefineNotNull()");
  expect(outcome(bytesLenFunc, of(string, "a"))).toBe("CONFORMANCE of 0: bytes required, but received string");
});

test("bytesSliceFunc returns a part that shares the memory", ({ expect }) => {
  const part = toJs(bytesSliceFunc.call([bytesOf(four), of(number, 1), of(number, 2)])) as Uint8Array;
  expect([...part]).toEqual([2, 3]);
  expect(part.buffer).toBe(four.buffer);
  expect(bytesSliceFunc.returnType([bytes, number, number])).toBe(bytes);
});

test.for([
  [-1, 1, "FUNCTION: offset and length must be non-negative"],
  [1, -1, "FUNCTION: offset and length must be non-negative"],
  [5, 0, "FUNCTION: offset 5 is greater than total buffer length 4"],
  [2, 3, "FUNCTION: offset 2 + length 3 is greater than total buffer length 4"],
  [0.5, 1, "INVALID_VALUE: value must be a whole number, between -9223372036854775808 and 9223372036854775807"],
] as const)("offset %d with length %d is refused", ([offset, length, problem], { expect }) => {
  expect(outcome(bytesSliceFunc, bytesOf(four), of(number, offset), of(number, length))).toBe(problem);
});

test("values of bytes are equal only if they hold the same array", ({ expect }) => {
  expect(same(bytesOf(four), bytesOf(four))).toBe(true);
  expect(same(bytesOf(four), bytesOf(four.slice()))).toBe(false);
});
