// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { mark, of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { regexAllFunc, regexFunc } from "./regexp.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [regexFunc, [of(string, "[a-z]+"), of(string, "123abc456def")], 'StringVal("abc")'],
  [regexFunc, [of(string, "([a-z])(x)?"), of(string, "1a")], 'TupleVal([]Value{StringVal("a"), NullVal(String)})'],
  [
    regexFunc,
    [of(string, "(?P<l>[a-z])(?P<d>\\d)?"), of(string, "1a2")],
    'ObjectVal(map[string]Value{"d":StringVal("2"), "l":StringVal("a")})',
  ],
  [regexFunc, [of(string, "(?P<n>a)|(?P<n>b)"), of(string, "b")], 'ObjectVal(map[string]Value{"n":StringVal("b")})'],
  [
    regexFunc,
    [of(string, "(?P<n>a)(b)"), of(string, "ab")],
    "FUNCTION of 0: invalid regexp pattern: cannot mix both named and unnamed capture groups",
  ],
  [regexFunc, [of(string, "x"), of(string, "abc")], "FUNCTION: pattern did not match any part of the given string"],
  [regexFunc, [of(string, "("), of(string, "abc")], "FUNCTION of 0: invalid regexp pattern: missing closing ) in ("],
  [regexFunc, [of(string, "a{2,1}"), of(string, "abc")], "FUNCTION of 0: invalid regexp pattern: invalid repeat count in {2,1}"],
  [regexFunc, [of(string, "(?=a)"), of(string, "abc")], "FUNCTION of 0: invalid regexp pattern: invalid or unsupported Perl syntax in (?="],
  [
    regexFunc,
    [of(string, "(?P<n>a)(?P<n>b"), of(string, "abc")],
    "FUNCTION of 0: invalid regexp pattern: missing closing ) in (?P<n>a)(?P<n>b",
  ],
  [regexFunc, [unknown(string), of(string, "abc")], "DynamicVal"],
  [regexFunc, [of(string, "(a)"), unknown(string)], "UnknownVal(Tuple([]Type{String})).RefineNotNull()"],
  [regexFunc, [of(string, "\\d+"), of(string, "१२ 34")], 'StringVal("34")'],
  [regexFunc, [of(string, "(?i)straße"), of(string, "STRAẞE")], 'StringVal("STRAẞE")'],
  [regexAllFunc, [of(string, "a*"), of(string, "baaac")], 'ListVal([]Value{StringVal(""), StringVal("aaa"), StringVal("")})'],
  [
    regexAllFunc,
    [of(string, "(.)(.)?"), of(string, "👍b3")],
    'ListVal([]Value{TupleVal([]Value{StringVal("👍"), StringVal("b")}), TupleVal([]Value{StringVal("3"), NullVal(String)})})',
  ],
  [regexAllFunc, [of(string, "x"), of(string, "abc")], "ListValEmpty(String)"],
  [regexAllFunc, [unknown(string), of(string, "abc")], "UnknownVal(List(DynamicPseudoType)).RefineNotNull()"],
  [regexAllFunc, [of(string, "[z-a]"), of(string, "abc")], "FUNCTION of 0: invalid regexp pattern: invalid character class range in z-a"],
  [regexAllFunc, [mark(of(string, "."), "m"), of(string, "ab")], 'ListVal([]Value{StringVal("a"), StringVal("b")}).Mark("m")'],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
