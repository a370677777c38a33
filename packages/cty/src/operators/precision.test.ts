// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { goString } from "../value/value.ts";
import { mark } from "../value/marks.ts";
import { of } from "../javascript/from-js.ts";
import { convert } from "../convert/index.ts";
import { number, string } from "../type/type.ts";
import { toJs } from "../javascript/to-js.ts";
import { nullOf, unknown } from "../construction/value-init.ts";
import type { Value } from "../model/value.ts";
import { add, positiveInfinity } from "./arithmetic.ts";
import { precision, withPrecision } from "./precision.ts";

const text = (digits: string): Value => convert(of(string, digits), number);

describe("the precision of a number", () => {
  test("is that of its origin", ({ expect }) => {
    expect([text("1"), of(number, 1), of(number, 2n ** 100n), of(number, 0.5), positiveInfinity].map(precision)).toEqual([
      512, 64, 101, 53, 0,
    ]);
  });

  test("can be set, and decides how results are rounded", ({ expect }) => {
    const short = withPrecision(text("0.1"), 10);
    expect(precision(short)).toBe(10);
    expect(precision(add(short, withPrecision(of(number, 2), 20)))).toBe(20);
    // With two bits, 5 lies half way between 4 and 6, and 7 between 6 and 8: ties go to the even mantissa.
    expect([1, 2, 3].map((bits) => toJs(withPrecision(of(number, 5), bits)))).toEqual([4, 4, 5]);
    expect(toJs(withPrecision(of(number, 7), 2))).toBe(8);
    expect(precision(withPrecision(positiveInfinity, 53))).toBe(53);
  });

  test("is kept with marks", ({ expect }) => {
    expect(precision(mark(of(number, 1), "m"))).toBe(64);
    expect(goString(withPrecision(mark(of(number, 5), "m"), 2))).toBe('cty.NumberIntVal(4).Mark("m")');
  });

  test.for<[string, () => unknown]>([
    ["an unknown number", () => precision(unknown(number))],
    ["null", () => precision(nullOf(number))],
    ["a text", () => withPrecision(of(string, "1"), 53)],
    ["a precision of 0", () => withPrecision(of(number, 1), 0)],
    ["a fractional number of bits", () => withPrecision(of(number, 1), 1.5)],
    ["too many bits", () => withPrecision(of(number, 1), 65_537)],
  ])("is rejected for %s", ([, call], { expect }) => {
    expect(call).toThrow(expect.objectContaining({ code: "MISUSE" }));
  });
});
