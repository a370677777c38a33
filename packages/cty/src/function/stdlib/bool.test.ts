// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { bool, dynamic, mark, nullOf, of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { andFunc, notFunc, orFunc } from "./bool.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [notFunc, [of(bool, true)], "False"],
  [notFunc, [unknown(bool)], "UnknownVal(Bool).RefineNotNull()"],
  [notFunc, [unknown(dynamic)], "UnknownVal(Bool).RefineNotNull()"],
  [notFunc, [mark(of(bool, false), "m")], 'True.Mark("m")'],
  [notFunc, [nullOf(bool)], "FUNCTION of 0: argument must not be null"],
  [notFunc, [of(string, "true")], "CONFORMANCE of 0: bool required, but received string"],
  [andFunc, [of(bool, true), of(bool, true)], "True"],
  [andFunc, [of(bool, false), unknown(bool)], "UnknownVal(Bool).RefineNotNull()"],
  [andFunc, [mark(of(bool, true), "a"), mark(of(bool, false), "b")], 'False.WithMarks(NewValueMarks("a", "b"))'],
  [orFunc, [of(bool, false), of(bool, false)], "False"],
  [orFunc, [of(bool, true), unknown(bool)], "UnknownVal(Bool).RefineNotNull()"],
  [orFunc, [of(bool, true)], "FUNCTION: wrong number of arguments (2 required; 1 given)"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
