// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { bool, dynamic, list, map, nullOf, number, of, set, string, unknown, type Value, indexStep } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { assertNotNullFunc, makeToFunc } from "./conversion.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [assertNotNullFunc, [of(string, "a")], 'StringVal("a")'],
  [assertNotNullFunc, [unknown(string)], "UnknownVal(String).RefineNotNull()"],
  [assertNotNullFunc, [unknown(dynamic)], "DynamicVal"],
  [assertNotNullFunc, [nullOf(string)], "FUNCTION of 0: argument must not be null"],
  [makeToFunc(string), [of(number, 1.5)], 'StringVal("1.5")'],
  [makeToFunc(string), [of(bool, true)], 'StringVal("true")'],
  [makeToFunc(string), [nullOf(number)], "NullVal(String)"],
  [makeToFunc(string), [unknown(number)], "UnknownVal(String)"],
  [makeToFunc(string), [unknown(dynamic)], "UnknownVal(String)"],
  [makeToFunc(string), [of(list(string), ["a"])], "FUNCTION of 0: cannot convert list of string to string"],
  [makeToFunc(number), [of(string, "12.5")], "NumberFloatVal(12.5)"],
  [
    makeToFunc(number),
    [of(string, " 1")],
    'FUNCTION of 0: cannot convert " 1" to number; given string must be a decimal representation of a number',
  ],
  [makeToFunc(number), [of(bool, true)], "FUNCTION of 0: cannot convert bool to number"],
  [makeToFunc(bool), [of(string, "1")], "True"],
  [makeToFunc(bool), [of(string, "TRUE")], 'FUNCTION of 0: cannot convert "TRUE" to bool; only the strings "true" or "false" are allowed'],
  [makeToFunc(list(dynamic)), [of(set(string), ["b", "a"])], 'ListVal([]Value{StringVal("a"), StringVal("b")})'],
  [makeToFunc(list(dynamic)), [of(dynamic, ["a", 1])], 'ListVal([]Value{StringVal("a"), StringVal("1")})'],
  [makeToFunc(set(dynamic)), [of(list(string), ["a", "a"])], 'SetVal([]Value{StringVal("a")})'],
  [makeToFunc(set(dynamic)), [of(dynamic, ["a", []])], "FUNCTION of 0: cannot convert tuple to set of any single type"],
  [makeToFunc(map(dynamic)), [of(dynamic, { a: 1, b: "x" })], 'MapVal(map[string]Value{"a":StringVal("1"), "b":StringVal("x")})'],
  [makeToFunc(map(dynamic)), [of(string, "a")], "FUNCTION of 0: cannot convert string to map of any single type"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});

test("only the cause of a conversion error has the path inside the argument", ({ expect }) => {
  const convert = (): unknown => makeToFunc(list(number)).call([of(dynamic, ["x"])]);
  expect(convert).toThrow(expect.objectContaining({ argument: 0, path: [], cause: expect.objectContaining({ path: [indexStep(0)] }) }));
});
