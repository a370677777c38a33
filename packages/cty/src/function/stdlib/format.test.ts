// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { decimal } from "../../../test/decimal.ts";
import { outcome } from "../../../test/outcome.ts";
import { bool, dynamic, list, mark, nullOf, number, of, set, string, tuple, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { formatFunc, formatListFunc } from "./format.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [formatFunc, [of(string, "%s %s %s"), of(string, "a"), of(number, 1.5), of(bool, true)], 'StringVal("a 1.5 true")'],
  [
    formatFunc,
    [of(string, "%5s|%-5s|%05s|%.2s|%.0s"), of(string, "é👍🏽"), of(string, "a"), of(string, "b"), of(string, "👍🏽éx"), of(string, "all")],
    'StringVal("   é👍🏽|a    |0000b|👍🏽é|all")',
  ],
  [
    formatFunc,
    [of(string, "%q %8q"), of(string, '<"&é>'), of(string, "x")],
    'StringVal("\\"\\\\u003c\\\\\\"\\\\u0026é\\\\u003e\\"      \\"x\\"")',
  ],
  [
    formatFunc,
    [of(string, "%v %v %v %v %v"), of(string, "a"), of(number, 1000000), of(bool, false), nullOf(string), of(list(number), [1, 2])],
    'StringVal("a 1e+06 false null [1,2]")',
  ],
  [formatFunc, [of(string, "%#v %#v"), of(string, "a"), of(number, 1000000)], 'StringVal("\\"a\\" 1000000")'],
  [formatFunc, [of(string, "%t %5t"), of(string, "true"), of(bool, false)], 'StringVal("true false")'],
  [
    formatFunc,
    [
      of(string, "%d %+d % d %05d %-5d|%5d %.3d %+06d"),
      of(number, 12),
      of(number, 12),
      of(number, 12),
      of(number, -12),
      of(number, 12),
      of(number, 12),
      of(number, 7),
      of(string, "7"),
    ],
    'StringVal("12 +12  12 -0012 12   |   12 007 +00007")',
  ],
  [
    formatFunc,
    [
      of(string, "%b %o %x %X %#b %#o %#x %#X %#08x"),
      of(number, 10),
      of(number, 10),
      of(number, 255),
      of(number, 255),
      of(number, 5),
      of(number, 8),
      of(number, 255),
      of(number, 255),
      of(number, -255),
    ],
    'StringVal("1010 12 ff FF 0b101 010 0xff 0XFF -0x000ff")',
  ],
  [
    formatFunc,
    [
      of(string, "%e %E %.0e %f %.0f %.3f %8.2f %08.2f %-8.2f|"),
      of(number, 12345.678),
      of(number, 0),
      of(number, 25),
      decimal("0.1"),
      of(number, 2.5),
      decimal("-2.0005"),
      of(number, 2.71),
      of(number, -2.71),
      of(number, 1),
    ],
    'StringVal("1.234568e+04 0.000000E+00 2e+01 0.100000 2 -2.001     2.71 -0002.71 1.00    |")',
  ],
  [
    formatFunc,
    [
      of(string, "%g %G %.3g %g %g %+g"),
      of(number, 1000000),
      decimal("1e-7"),
      of(number, 1234.5),
      of(number, 0.0001),
      decimal("1e100"),
      of(number, 1),
    ],
    'StringVal("1e+06 1E-07 1.23e+03 0.0001 1e+100 +1")',
  ],
  [formatFunc, [of(string, "%f %d"), decimal("Inf"), of(number, 1)], 'StringVal("+Inf 1")'],
  [formatFunc, [of(string, "%[2]s %s %[1]s%%"), of(string, "a"), of(string, "b"), of(string, "c")], 'StringVal("b c a%")'],
  [formatFunc, [of(string, "%9999999999d"), of(number, 1)], 'StringVal("%!(NOVERB)%!(EXTRA *big.Int=1)")'],
  [formatFunc, [of(string, "100%")], "FUNCTION: invalid format string starting at offset 4"],
  [formatFunc, [of(string, "%5.é"), of(string, "a")], "FUNCTION: unrecognized format character 'é' at offset 3"],
  [formatFunc, [of(string, "é%[0]s"), of(string, "a")], "FUNCTION: unrecognized format character '0' at offset 4"],
  [formatFunc, [of(string, "%z"), of(string, "a")], "FUNCTION: unsupported format verb 'z' in \"%z\" at offset 0"],
  [formatFunc, [of(string, "%s %s"), of(string, "a")], 'FUNCTION: not enough arguments for "%s" at 3: need index 2 but have 1 total'],
  [formatFunc, [of(string, "%s"), of(string, "a"), of(string, "b")], "FUNCTION of 2: too many arguments; only 1 used by format string"],
  [formatFunc, [of(string, "none"), of(string, "a")], "FUNCTION of 1: too many arguments; no verbs in format string"],
  [formatFunc, [of(string, "%d"), of(number, 1.5)], 'FUNCTION: unsupported value for "%d" at 0: an integer is required'],
  [formatFunc, [of(string, "é%d"), of(string, "x")], 'FUNCTION: unsupported value for "%d" at 2: a number is required'],
  [formatFunc, [of(string, "%s"), nullOf(string)], 'FUNCTION: unsupported value for "%s" at 0: null value cannot be formatted'],
  [
    formatFunc,
    [of(string, "%s"), of(list(string), [])],
    'FUNCTION: unsupported value for "%s" at 0: string required, but have list of string',
  ],
  [
    formatFunc,
    [of(string, "%v"), of(dynamic, { a: [decimal("Inf")] })],
    'FUNCTION: unsupported value for "%v" at 0: cannot serialize infinity as JSON',
  ],
  [formatFunc, [of(string, "pre-%s"), unknown(string)], 'UnknownVal(String).Refine().NotNull().StringPrefixFull("pre-").NewValue()'],
  [formatFunc, [of(string, "%s"), unknown(string)], "UnknownVal(String).RefineNotNull()"],
  [formatFunc, [of(string, "%s"), mark(of(string, "a"), "m")], 'StringVal("a").Mark("m")'],
  [
    formatListFunc,
    [of(string, "%s-%s"), of(list(string), ["a", "b"]), of(string, "x")],
    'ListVal([]Value{StringVal("a-x"), StringVal("b-x")})',
  ],
  [formatListFunc, [of(string, "%s"), of(set(string), ["b", "a"])], 'ListVal([]Value{StringVal("a"), StringVal("b")})'],
  [formatListFunc, [of(string, "plain")], 'ListVal([]Value{StringVal("plain")})'],
  [
    formatListFunc,
    [of(string, "%s%s"), of(list(string), ["a"]), of(list(string), ["a", "b"])],
    "FUNCTION of 2: argument 2 has length 2, which is inconsistent with argument 1 of length 1",
  ],
  [formatListFunc, [of(string, "%s"), of(list(string), [])], "ListValEmpty(String)"],
  [
    formatListFunc,
    [of(string, "%s%s"), of(list(string), ["a", unknown(string)]), of(list(string), ["x", "y"])],
    'ListVal([]Value{StringVal("ax"), UnknownVal(String).RefineNotNull()})',
  ],
  [
    formatListFunc,
    [of(string, "%s%s"), of(dynamic, [unknown(string), "b"]), of(list(string), ["x", "y"])],
    'ListVal([]Value{UnknownVal(String).RefineNotNull(), StringVal("bx")})',
  ],
  [formatListFunc, [of(string, "%s"), unknown(list(string))], "UnknownVal(List(String)).RefineNotNull()"],
  [formatListFunc, [of(string, "%s"), unknown(tuple(string, string))], "UnknownVal(List(String)).RefineNotNull()"],
  [formatListFunc, [of(string, "%s"), unknown(dynamic)], "UnknownVal(List(String)).RefineNotNull()"],
  [
    formatListFunc,
    [of(string, "%d"), of(list(string), ["1", "x"])],
    'FUNCTION: error on format iteration 1: unsupported value for "%d" at 0: a number is required',
  ],
  [formatListFunc, [of(string, "%v"), nullOf(list(string))], 'ListVal([]Value{StringVal("null")})'],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
