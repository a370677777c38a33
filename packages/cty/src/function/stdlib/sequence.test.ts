// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { decimal } from "../../../test/decimal.ts";
import { outcome } from "../../../test/outcome.ts";
import { bool, dynamic, list, mark, number, of, set, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { concatFunc, rangeFunc } from "./sequence.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [concatFunc, [of(list(string), ["a"]), of(list(number), [1])], 'ListVal([]Value{StringVal("a"), StringVal("1")})'],
  [concatFunc, [of(list(string), ["a"]), of(dynamic, [1, true])], 'TupleVal([]Value{StringVal("a"), NumberIntVal(1), True})'],
  [concatFunc, [of(list(string), []), of(list(string), [])], "ListValEmpty(String)"],
  [
    concatFunc,
    [mark(of(list(string), ["a"]), "m"), of(list(string), [mark(of(string, "b"), "n")])],
    'ListVal([]Value{StringVal("a"), StringVal("b").Mark("n")}).Mark("m")',
  ],
  [
    concatFunc,
    [of(list(string), ["a"]), of(list(list(string)), [["b"]])],
    'TupleVal([]Value{StringVal("a"), ListVal([]Value{StringVal("b")})})',
  ],
  [concatFunc, [unknown(list(string)), of(dynamic, [1])], "DynamicVal"],
  [concatFunc, [of(list(bool), [true]), of(list(number), [1])], "TupleVal([]Value{True, NumberIntVal(1)})"],
  [concatFunc, [of(set(string), ["a"])], "FUNCTION of 0: all arguments must be lists or tuples; got set of string"],
  [concatFunc, [of(list(string), ["a"]), of(string, "b")], "FUNCTION of 1: all arguments must be lists or tuples; got string"],
  [concatFunc, [of(list(bool), [true]), of(list(string), ["x"])], 'ListVal([]Value{StringVal("true"), StringVal("x")})'],
  [concatFunc, [], "FUNCTION: at least one argument is required"],
  [rangeFunc, [of(number, 3)], "ListVal([]Value{NumberIntVal(0), NumberIntVal(1), NumberIntVal(2)})"],
  [rangeFunc, [of(number, -2)], "ListVal([]Value{NumberIntVal(0), NumberIntVal(-1)})"],
  [rangeFunc, [of(number, 0)], "ListValEmpty(Number)"],
  [rangeFunc, [of(number, 1), of(number, 4)], "ListVal([]Value{NumberIntVal(1), NumberIntVal(2), NumberIntVal(3)})"],
  [rangeFunc, [of(number, 4), of(number, 1)], "ListVal([]Value{NumberIntVal(4), NumberIntVal(3), NumberIntVal(2)})"],
  [
    rangeFunc,
    [of(number, 1), of(number, 2), decimal("0.25")],
    "ListVal([]Value{NumberIntVal(1), NumberFloatVal(1.25), NumberFloatVal(1.5), NumberFloatVal(1.75)})",
  ],
  [rangeFunc, [of(number, 5), of(number, 1), of(number, -2)], "ListVal([]Value{NumberIntVal(5), NumberIntVal(3)})"],
  [rangeFunc, [of(number, 1), of(number, 5), of(number, -1)], "FUNCTION of 1: end must be less than start when step is negative"],
  [rangeFunc, [of(number, 5), of(number, 1), of(number, 1)], "FUNCTION of 1: end must be greater than start when step is positive"],
  [
    rangeFunc,
    [of(number, 0), of(number, 2), of(number, 0)],
    "FUNCTION: more than 1024 values were generated; either decrease the difference between start and end or use a smaller step",
  ],
  [
    rangeFunc,
    [of(number, 1025)],
    "FUNCTION: more than 1024 values were generated; either decrease the difference between start and end or use a smaller step",
  ],
  [rangeFunc, [of(number, 1), of(number, 1), of(number, 1), of(number, 1)], "FUNCTION: must have one, two, or three arguments"],
  [rangeFunc, [], "FUNCTION: must have one, two, or three arguments"],
  [rangeFunc, [unknown(number)], "UnknownVal(List(Number)).RefineNotNull()"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
