// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { decimal } from "../../../test/decimal.ts";
import { outcome } from "../../../test/outcome.ts";
import { dynamic, list, mark, nullOf, number, of, string, unknown, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { jsonDecodeFunc, jsonEncodeFunc } from "./json.ts";

/** A function, its arguments, and the result of go-cty. */
const cases: readonly (readonly [CtyFunction, readonly Value[], string])[] = [
  [
    jsonEncodeFunc,
    [of(dynamic, { b: [1, null, true], a: "<é>" })],
    'StringVal("{\\"a\\":\\"\\\\u003cé\\\\u003e\\",\\"b\\":[1,null,true]}")',
  ],
  [jsonEncodeFunc, [nullOf(string)], 'StringVal("null")'],
  [jsonEncodeFunc, [decimal("1e20")], 'StringVal("100000000000000000000")'],
  [jsonEncodeFunc, [unknown(string)], "UnknownVal(String).RefineNotNull()"],
  [jsonEncodeFunc, [unknown(string, { notNull: true })], 'UnknownVal(String).Refine().NotNull().StringPrefixFull("\\"").NewValue()'],
  [jsonEncodeFunc, [unknown(number, { notNull: true })], "UnknownVal(String).RefineNotNull()"],
  [jsonEncodeFunc, [of(dynamic, { a: unknown(string) })], 'UnknownVal(String).Refine().NotNull().StringPrefixFull("{").NewValue()'],
  [jsonEncodeFunc, [of(list(string), [unknown(string)])], 'UnknownVal(String).Refine().NotNull().StringPrefixFull("[").NewValue()'],
  [jsonEncodeFunc, [unknown(dynamic)], "UnknownVal(String).RefineNotNull()"],
  [jsonEncodeFunc, [decimal("Inf")], "UNSUPPORTED: cannot serialize infinity as JSON"],
  [jsonEncodeFunc, [mark(of(string, "a"), "m")], 'StringVal("\\"a\\"").Mark("m")'],
  [
    jsonDecodeFunc,
    [of(string, '{"a":[1,2.50,null],"b":{"c":true}}')],
    'ObjectVal(map[string]Value{"a":TupleVal([]Value{NumberIntVal(1), NumberFloatVal(2.5), NullVal(DynamicPseudoType)}), "b":ObjectVal(map[string]Value{"c":True})})',
  ],
  [jsonDecodeFunc, [of(string, " null ")], "NullVal(DynamicPseudoType)"],
  [jsonDecodeFunc, [of(string, "[1]]")], "TupleVal([]Value{NumberIntVal(1)})"],
  [jsonDecodeFunc, [of(string, "[1] x")], "MALFORMED: extraneous data after JSON object"],
  [jsonDecodeFunc, [of(string, '{"a":1,"a":true}')], 'MALFORMED: duplicate "a" property in JSON object'],
  [jsonDecodeFunc, [of(string, "")], "MALFORMED: EOF"],
  [jsonDecodeFunc, [of(string, "[1")], "MALFORMED: EOF"],
  [jsonDecodeFunc, [of(string, "[1 2]")], "MALFORMED: invalid character '2' after array element"],
  [jsonDecodeFunc, [of(string, '{"a" 1}')], "MALFORMED: invalid character '1' after object key"],
  [jsonDecodeFunc, [of(string, '{"a":1 "b"}')], "MALFORMED: invalid character '\"' after object key:value pair"],
  [jsonDecodeFunc, [of(string, "{,}")], "MALFORMED: invalid character ','"],
  [jsonDecodeFunc, [of(string, '{"a":1,}')], "MALFORMED: invalid character '}' looking for beginning of object key string"],
  [jsonDecodeFunc, [of(string, "[1,]")], "MALFORMED: invalid character ']' looking for beginning of value"],
  [jsonDecodeFunc, [of(string, "nul")], "MALFORMED: unexpected EOF"],
  [jsonDecodeFunc, [of(string, "nope")], "MALFORMED: invalid character 'o' in literal null (expecting 'u')"],
  [jsonDecodeFunc, [of(string, "-x")], "MALFORMED: invalid character 'x' in numeric literal"],
  [jsonDecodeFunc, [of(string, "[1.]")], "MALFORMED: invalid character ']' after decimal point in numeric literal"],
  [jsonDecodeFunc, [of(string, "1e+")], "MALFORMED: unexpected EOF"],
  [jsonDecodeFunc, [of(string, '"a\nb"')], "MALFORMED: invalid character '\\n' in string literal"],
  [jsonDecodeFunc, [of(string, '"\\x"')], "MALFORMED: invalid character 'x' in string escape code"],
  [jsonDecodeFunc, [of(string, '"\\u12g4"')], "MALFORMED: invalid character 'g' in \\u hexadecimal character escape"],
  [jsonDecodeFunc, [of(string, '"open')], "MALFORMED: unexpected EOF"],
  [jsonDecodeFunc, [of(string, "é")], "MALFORMED: invalid character 'Ã' looking for beginning of value"],
  [jsonDecodeFunc, [unknown(string, { prefix: " [" })], "DynamicVal"],
  [jsonDecodeFunc, [unknown(string, { prefixFull: '"' })], "UnknownVal(String)"],
  [jsonDecodeFunc, [unknown(string, { prefixFull: "t" })], "UnknownVal(Bool)"],
  [jsonDecodeFunc, [unknown(string, { prefixFull: "-1" })], "UnknownVal(Number)"],
  [jsonDecodeFunc, [unknown(string, { prefixFull: "'" })], "FUNCTION of 0: a JSON document cannot begin with the character '\\''"],
  [jsonDecodeFunc, [unknown(string)], "DynamicVal"],
];

test.for(cases)("result %$ equals that of go-cty", ([called, args, result], { expect }) => {
  expect(outcome(called, ...args)).toBe(result);
});
