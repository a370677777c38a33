// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { regexReplaceFunc, replaceFunc } from "./string-replace.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [replaceFunc, [of(string, "hello"), of(string, "l"), of(string, "L")], 'StringVal("heLLo")'],
  [replaceFunc, [of(string, "a👍"), of(string, ""), of(string, "-")], 'StringVal("-a-👍-")'],
  [replaceFunc, [of(string, ""), of(string, ""), of(string, "-")], 'StringVal("-")'],
  [replaceFunc, [of(string, "aaa"), of(string, "aa"), of(string, "$1")], 'StringVal("$1a")'],
  [replaceFunc, [unknown(string), of(string, "a"), of(string, "b")], "UnknownVal(String).RefineNotNull()"],
  [regexReplaceFunc, [of(string, "-ab-axxb-"), of(string, "a(x*)b"), of(string, "${1}W")], 'StringVal("-W-xxW-")'],
  [regexReplaceFunc, [of(string, "-ab-axxb-"), of(string, "a(x*)b"), of(string, "$1W")], 'StringVal("---")'],
  [regexReplaceFunc, [of(string, "abc"), of(string, "b*"), of(string, "-")], 'StringVal("-a-c-")'],
  [regexReplaceFunc, [of(string, "a👍b"), of(string, ""), of(string, "-")], 'StringVal("-a-👍-b-")'],
  [
    regexReplaceFunc,
    [of(string, "ab"), of(string, "(?P<x>a)"), of(string, "[$x|${x}|$0|$$|$9|$|${x|$_]")],
    'StringVal("[a|a|a|$||$|${x|]b")',
  ],
  [regexReplaceFunc, [of(string, "ab"), of(string, "(?P<n>x)?(?P<n>a)"), of(string, "<$n>")], 'StringVal("<a>b")'],
  [regexReplaceFunc, [of(string, "a"), of(string, "("), of(string, "")], "FUNCTION: error parsing regexp: missing closing ): `(`"],
  [
    regexReplaceFunc,
    [of(string, "a"), of(string, "\\"), of(string, "")],
    "FUNCTION: error parsing regexp: trailing backslash at end of expression: ``",
  ],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
