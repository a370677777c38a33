// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { dynamic, list, mark, number, of, set, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { setHasElementFunc, setIntersectionFunc, setSubtractFunc, setSymmetricDifferenceFunc, setUnionFunc } from "./set.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [setHasElementFunc, [of(set(string), ["a"]), of(string, "a")], "True"],
  [setHasElementFunc, [of(set(string), ["a"]), of(number, 1)], "False"],
  [setHasElementFunc, [of(set(string), ["a", unknown(string)]), of(string, "b")], "UnknownVal(Bool).RefineNotNull()"],
  [setHasElementFunc, [unknown(dynamic), of(string, "b")], "UnknownVal(Bool).RefineNotNull()"],
  [
    setUnionFunc,
    [of(set(string), ["a"]), of(set(number), [1]), of(set(string), ["a", "b"])],
    'SetVal([]Value{StringVal("1"), StringVal("a"), StringVal("b")})',
  ],
  [
    setUnionFunc,
    [of(set(string), ["a", unknown(string)]), of(set(string), [unknown(string)])],
    'SetVal([]Value{StringVal("a"), UnknownVal(String), UnknownVal(String)})',
  ],
  [setUnionFunc, [of(set(dynamic), []), of(set(string), ["a"])], 'SetVal([]Value{StringVal("a")})'],
  [setUnionFunc, [of(set(dynamic), [])], "SetValEmpty(DynamicPseudoType)"],
  [setUnionFunc, [of(set(string), ["a"]), of(set(list(string)), [["a"]])], "FUNCTION: given sets must all have compatible element types"],
  [setUnionFunc, [of(set(string), ["a"]), unknown(dynamic)], "FUNCTION_FAULT: panic in function implementation: not a collection type"],
  [setUnionFunc, [mark(of(set(string), ["a"]), "m"), of(set(string), ["b"])], 'SetVal([]Value{StringVal("a"), StringVal("b")}).Mark("m")'],
  [
    setIntersectionFunc,
    [of(set(string), ["a", "b"]), of(set(string), ["b", "c"]), of(set(string), ["b"])],
    'SetVal([]Value{StringVal("b")})',
  ],
  [setIntersectionFunc, [of(set(number), [1, 2]), of(set(string), ["2"])], 'SetVal([]Value{StringVal("2")})'],
  [setIntersectionFunc, [of(set(string), ["a"]), of(set(string), [unknown(string)])], "UnknownVal(Set(String)).RefineNotNull()"],
  [setSubtractFunc, [of(set(string), ["a", "b"]), of(set(string), ["b", "c"])], 'SetVal([]Value{StringVal("a")})'],
  [setSubtractFunc, [of(set(string), ["a"]), of(set(string), [unknown(string)])], "UnknownVal(Set(String)).RefineNotNull()"],
  [
    setSymmetricDifferenceFunc,
    [of(set(string), ["a", "b"]), of(set(string), ["b", "c"])],
    'SetVal([]Value{StringVal("a"), StringVal("c")})',
  ],
  [setSymmetricDifferenceFunc, [of(set(string), ["a"]), of(set(string), ["a"]), of(set(string), ["a"])], 'SetVal([]Value{StringVal("a")})'],
  [setSymmetricDifferenceFunc, [of(list(string), ["a"])], "CONFORMANCE of 0: set of dynamic required, but received list of string"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
