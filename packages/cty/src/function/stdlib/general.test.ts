// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { bool, dynamic, list, mark, nullOf, number, of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { coalesceFunc, equalFunc, notEqualFunc } from "./general.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [equalFunc, [of(number, 1), of(number, 1)], "True"],
  [equalFunc, [of(number, 1), of(string, "1")], "False"],
  [equalFunc, [nullOf(string), nullOf(number)], "True"],
  [equalFunc, [unknown(string), of(string, "a")], "UnknownVal(Bool).RefineNotNull()"],
  [equalFunc, [unknown(string, { prefix: "b-" }), of(string, "a")], "False"],
  [equalFunc, [unknown(dynamic), of(string, "a")], "UnknownVal(Bool).RefineNotNull()"],
  [equalFunc, [mark(of(string, "a"), "m"), of(string, "a")], 'True.Mark("m")'],
  [notEqualFunc, [of(number, 1), of(number, 2)], "True"],
  [notEqualFunc, [unknown(dynamic), nullOf(dynamic)], "UnknownVal(Bool).RefineNotNull()"],
  [notEqualFunc, [unknown(string, { notNull: true }), nullOf(string)], "True"],
  [coalesceFunc, [nullOf(string), of(string, "a"), of(string, "b")], 'StringVal("a")'],
  [coalesceFunc, [nullOf(number), of(string, "a")], 'StringVal("a")'],
  [coalesceFunc, [of(number, 1), of(string, "a")], 'StringVal("1")'],
  [coalesceFunc, [unknown(string), of(string, "a")], "UnknownVal(String).RefineNotNull()"],
  [coalesceFunc, [of(string, "a"), unknown(string)], 'StringVal("a")'],
  [coalesceFunc, [nullOf(string), nullOf(string)], "FUNCTION: no non-null arguments"],
  [coalesceFunc, [of(list(string), []), of(bool, true)], "FUNCTION: all arguments must have the same type"],
  [coalesceFunc, [], "FUNCTION: all arguments must have the same type"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
