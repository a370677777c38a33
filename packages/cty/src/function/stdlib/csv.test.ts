// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { outcome } from "../../../test/outcome.ts";
import { of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { csvDecodeFunc } from "./csv.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [
    csvDecodeFunc,
    [of(string, "a,b\n1,2\n3,4\n")],
    'ListVal([]Value{ObjectVal(map[string]Value{"a":StringVal("1"), "b":StringVal("2")}), ObjectVal(map[string]Value{"a":StringVal("3"), "b":StringVal("4")})})',
  ],
  [
    csvDecodeFunc,
    [of(string, 'a,b\r\n\r\n"x, y","q""z"\r\n')],
    'ListVal([]Value{ObjectVal(map[string]Value{"a":StringVal("x, y"), "b":StringVal("q\\"z")})})',
  ],
  [csvDecodeFunc, [of(string, 'a\n"two\nlines"')], 'ListVal([]Value{ObjectVal(map[string]Value{"a":StringVal("two\\nlines")})})'],
  [csvDecodeFunc, [of(string, "a,b")], 'ListValEmpty(Object(map[string]Type{"a":String, "b":String}))'],
  [csvDecodeFunc, [of(string, "")], "FUNCTION: missing header line"],
  [csvDecodeFunc, [of(string, "\n\n")], "FUNCTION: missing header line"],
  [csvDecodeFunc, [of(string, "a,a\n")], 'FUNCTION: duplicate column name "a"'],
  [csvDecodeFunc, [of(string, "a,b\n1")], "FUNCTION: CSV parse error on line 2: wrong number of fields"],
  [csvDecodeFunc, [of(string, 'a\nx"y')], 'FUNCTION: CSV parse error on line 2: bare " in non-quoted-field'],
  [csvDecodeFunc, [of(string, 'a\n"x"y')], 'FUNCTION: CSV parse error on line 2: extraneous or missing " in quoted-field'],
  [csvDecodeFunc, [of(string, 'a\n"x\n\n')], 'FUNCTION: CSV parse error on line 3: extraneous or missing " in quoted-field'],
  [csvDecodeFunc, [of(string, '"a')], 'FUNCTION: CSV parse error on line 1: extraneous or missing " in quoted-field'],
  [
    csvDecodeFunc,
    [of(string, "e\u0301,\u00e8\n1,2\r")],
    'ListVal([]Value{ObjectVal(map[string]Value{"è":StringVal("2"), "é":StringVal("1")})})',
  ],
  [csvDecodeFunc, [unknown(string)], "DynamicVal"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
