// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { dynamic, list, mark, number, of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import {
  chompFunc,
  indentFunc,
  joinFunc,
  lowerFunc,
  reverseFunc,
  sortFunc,
  splitFunc,
  strlenFunc,
  substrFunc,
  titleFunc,
  trimFunc,
  trimPrefixFunc,
  trimSpaceFunc,
  trimSuffixFunc,
  upperFunc,
} from "./string.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [upperFunc, [of(string, "straße ŉ ﬁ ᾳ ǆ")], 'StringVal("STRAßE ŉ ﬁ ᾼ Ǆ")'],
  [upperFunc, [unknown(dynamic)], "UnknownVal(String).RefineNotNull()"],
  [lowerFunc, [of(string, "ΣΑΣ İ Ǆ")], 'StringVal("σασ i ǆ")'],
  [titleFunc, [of(string, "hello_world foo-bar ǆ ა 1a über")], 'StringVal("Hello_world Foo-Bar ǅ ა 1a Über")'],
  [reverseFunc, [of(string, "a👍🏽e\u0301")], 'StringVal("é👍🏽a")'],
  [reverseFunc, [of(string, "\u0301e")], 'StringVal("é")'],
  [strlenFunc, [of(string, "क्ष👨‍👩‍👧\r\n")], "NumberIntVal(4)"],
  [strlenFunc, [unknown(string)], "UnknownVal(Number).Refine().NotNull().NumberLowerBound(NumberIntVal(0), true).NewValue()"],
  [
    strlenFunc,
    [unknown(string, { prefix: "👍🏽ab-" })],
    "UnknownVal(Number).Refine().NotNull().NumberLowerBound(NumberIntVal(4), true).NewValue()",
  ],
  [strlenFunc, [unknown(dynamic)], "UnknownVal(Number).Refine().NotNull().NumberLowerBound(NumberIntVal(0), true).NewValue()"],
  [strlenFunc, [mark(of(string, "ab"), "m")], 'NumberIntVal(2).Mark("m")'],
  [chompFunc, [of(string, "a\nb\r\n\n\r")], 'StringVal("a\\nb")'],
  [chompFunc, [of(string, "")], 'StringVal("")'],
  [trimSpaceFunc, [of(string, "\u0085\u3000 a b\u200b\t")], 'StringVal("a b\\u200b")'],
  [trimFunc, [of(string, "?!hello?!"), of(string, "!?")], 'StringVal("hello")'],
  [trimFunc, [of(string, "aaa"), of(string, "a")], 'StringVal("")'],
  [trimFunc, [of(string, " a "), of(string, "")], 'StringVal(" a ")'],
  [trimPrefixFunc, [of(string, "foobar"), of(string, "foo")], 'StringVal("bar")'],
  [trimPrefixFunc, [of(string, "foobar"), of(string, "bar")], 'StringVal("foobar")'],
  [trimSuffixFunc, [of(string, "foobar"), of(string, "bar")], 'StringVal("foo")'],
  [trimSuffixFunc, [of(string, "foobar"), of(string, "")], 'StringVal("foobar")'],
  [substrFunc, [of(string, "héllo wörld"), of(number, 1), of(number, 4)], 'StringVal("éllo")'],
  [substrFunc, [of(string, "hello"), of(number, -3), of(number, 2)], 'StringVal("ll")'],
  [substrFunc, [of(string, "hello"), of(number, -9), of(number, 2)], 'StringVal("he")'],
  [substrFunc, [of(string, "hello"), of(number, 2), of(number, -1)], 'StringVal("llo")'],
  [substrFunc, [of(string, "hello"), of(number, 2), of(number, 0)], 'StringVal("")'],
  [substrFunc, [of(string, "hello"), of(number, -2), of(number, 0)], 'StringVal("lo")'],
  [substrFunc, [of(string, "hello"), of(number, 9), of(number, 1)], 'StringVal("")'],
  [
    substrFunc,
    [of(string, "hello"), of(number, 0.5), of(number, 1)],
    "INVALID_VALUE: value must be a whole number, between -9223372036854775808 and 9223372036854775807",
  ],
  [joinFunc, [of(string, ", "), of(list(string), ["a", "b"]), of(list(string), []), of(list(string), ["c"])], 'StringVal("a, b, c")'],
  [joinFunc, [of(string, ", ")], "FUNCTION: at least one list is required"],
  [joinFunc, [of(string, ", "), of(list(string), ["a", null])], "FUNCTION of 1: element 1 is null; cannot concatenate null values"],
  [
    joinFunc,
    [of(string, ", "), of(list(string), ["a"]), of(list(string), ["b", null])],
    "FUNCTION of 2: element 1 of list 2 is null; cannot concatenate null values",
  ],
  [joinFunc, [of(string, ", "), of(list(string), ["a", unknown(string)])], "UnknownVal(String).RefineNotNull()"],
  [joinFunc, [of(string, ", "), of(list(number), [1])], "CONFORMANCE of 0: string required, but received number"],
  [joinFunc, [of(string, ", "), mark(of(list(string), ["a"]), "m")], 'StringVal("a").Mark("m")'],
  [
    sortFunc,
    [of(list(string), ["b", "\u{1f600}", "\uffee", "B", "a"])],
    'ListVal([]Value{StringVal("B"), StringVal("a"), StringVal("b"), StringVal("￮"), StringVal("😀")})',
  ],
  [sortFunc, [of(list(string), [])], "ListValEmpty(String)"],
  [sortFunc, [of(list(string), ["a", null])], "FUNCTION: given list element 1 is null; a null string cannot be sorted"],
  [sortFunc, [of(list(string), ["a", unknown(string)])], "ListVal([]Value{UnknownVal(String), UnknownVal(String)})"],
  [
    sortFunc,
    [unknown(list(string), { lengthMax: 3 })],
    "UnknownVal(List(String)).Refine().NotNull().CollectionLengthUpperBound(3).NewValue()",
  ],
  [splitFunc, [of(string, ","), of(string, "a,,b")], 'ListVal([]Value{StringVal("a"), StringVal(""), StringVal("b")})'],
  [splitFunc, [of(string, ""), of(string, "a👍e\u0301")], 'ListVal([]Value{StringVal("a"), StringVal("👍"), StringVal("é")})'],
  [splitFunc, [of(string, ""), of(string, "")], "ListValEmpty(String)"],
  [splitFunc, [of(string, ","), of(string, "")], 'ListVal([]Value{StringVal("")})'],
  [indentFunc, [of(number, 2), of(string, "a\nb\n")], 'StringVal("a\\n  b\\n  ")'],
  [
    indentFunc,
    [of(number, 1.5), of(string, "a")],
    "INVALID_VALUE: value must be a whole number, between -9223372036854775808 and 9223372036854775807",
  ],
  [indentFunc, [of(number, -1), of(string, "a")], "FUNCTION_FAULT: panic in function implementation: Invalid count value: -1"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
