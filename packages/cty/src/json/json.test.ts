// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { inspect } from "node:util";
import { describe, test } from "vitest";
import { typedValues, types } from "../../test/arbitrary.ts";
import { convert } from "../convert/index.ts";
import {
  attributeStep,
  bool,
  capsule,
  type CtyError,
  dynamic,
  formatPath,
  goString,
  indexStep,
  list,
  map,
  mark,
  nullOf,
  number,
  object,
  of,
  optional,
  same,
  set,
  string,
  tuple,
  unknown,
  type Type,
  type Value,
} from "../index.ts";
import { numberFromText, valueOf } from "../unstable/payload.ts";
import { decode, decodeType, encode, encodeType, impliedType } from "./index.ts";

describe("encode", () => {
  test.for<[Value, Type, string]>([
    [of(string, '<a&b>\u2028"\\\b\f\u000b'), string, String.raw`"\u003ca\u0026b\u003e\u2028\"\\\b\f\u000b"`],
    [of(number, 0.1), number, "0.1"],
    [of(number, -0), number, "-0"],
    [valueOf(number, numberFromText("1e500")!), number, `1${"0".repeat(500)}`],
    [of(map(bool), { b: true, a: false }), map(bool), '{"a":false,"b":true}'],
    [of(object({ b: number, a: string }), { a: "x", b: 1 }), object({ b: number, a: string }), '{"a":"x","b":1}'],
    [of(set(string), ["b", "a"]), set(string), '["a","b"]'],
    [of(list(number), [1]), dynamic, '{"value":[1],"type":["list","number"]}'],
    [nullOf(dynamic), dynamic, "null"],
    [nullOf(string), dynamic, '{"value":null,"type":"string"}'],
    [of(tuple(string, bool), ["a", null]), tuple(dynamic, bool), '[{"value":"a","type":"string"},null]'],
  ])("%o as %o: %s", ([value, type, want], { expect }) => {
    expect(encode(value, type)).toBe(want);
  });
  test("rejects a value that does not conform, and converts it with the convert option", ({ expect }) => {
    expect(() => encode(of(number, 1), string)).toThrow("string required, but received number: convert the value first");
    expect(encode(of(number, 1), string, { convert })).toBe('"1"');
  });
  test.for<[Value, Type, string, string]>([
    [of(list(string), ["a", mark(of(string, "b"), "m")]), list(string), "[1]", "value has marks, so it cannot be serialized as JSON"],
    [of(object({ a: string }), { a: unknown(string) }), object({ a: string }), ".a", "value is not known"],
    [of(list(number), [Infinity]), list(number), "[0]", "cannot serialize infinity as JSON"],
    [of(list(number), [Infinity]), dynamic, "", "failed to serialize value: cannot serialize infinity as JSON"],
  ])("rejects %o", ([value, type, path, message], { expect }) => {
    let error: unknown;
    try {
      encode(value, type);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "UNSUPPORTED", message });
    expect(formatPath((error as CtyError).path)).toBe(path);
  });
});

describe("decode", () => {
  test("reverses encode, except for infinity", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: false }), (value) => {
        let json: string;
        try {
          json = encode(value, value.type);
        } catch (error) {
          expect(error).toMatchObject({ message: "cannot serialize infinity as JSON" });
          return;
        }
        expect(same(decode(json, value.type), value), json).toBe(true);
        expect(same(decode(encode(value, dynamic), dynamic), value)).toBe(true);
        expect(() => JSON.parse(json) as unknown).not.toThrow();
      }),
    );
  });
  test.for<[string, Type, string]>([
    ["1.50", string, 'cty.StringVal("1.50")'],
    ["true", string, 'cty.StringVal("true")'],
    ['"1e3"', number, "cty.NumberIntVal(1000)"],
    ['"Inf"', number, "cty.NumberFloatVal(+Inf)"],
    ["123456789012345678901234567890", number, "cty.NumberIntVal(1.2345678901234567890123456789e+29)"],
    ['"1"', bool, "cty.True"],
    [String.raw`"\ud83d\ude00\ud800"`, string, 'cty.StringVal("😀\ufffd")'],
    [' [ 1 , "2" ] trailing', list(number), "cty.ListVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"],
    [
      '{"a":1,"a":2}',
      object({ a: number, b: string }),
      'cty.ObjectVal(map[string]cty.Value{"a":cty.NumberIntVal(2), "b":cty.NullVal(cty.String)})',
    ],
    ['{"type":"number","value":1}', dynamic, "cty.NumberIntVal(1)"],
    ['{"value":[{"value":1,"type":"number"}],"type":["list","dynamic"]}', dynamic, "cty.ListVal([]cty.Value{cty.NumberIntVal(1)})"],
    ["null", dynamic, "cty.NullVal(cty.DynamicPseudoType)"],
    ["[]", set(dynamic), "cty.SetValEmpty(cty.DynamicPseudoType)"],
    ['{"__proto__":true}', map(bool), 'cty.MapVal(map[string]cty.Value{"__proto__":cty.True})'],
  ])("%s as %o: %s", ([json, type, want], { expect }) => {
    expect(goString(decode(json, type))).toBe(want);
    expect(goString(decode(new TextEncoder().encode(json), type))).toBe(want);
  });
  test.for<[string, Type, string, string]>([
    ["1", bool, "", "bool is required"],
    ['"TRUE"', bool, "", 'a bool is required; to convert from string, use lowercase "true"'],
    ['"x"', number, "", "a number is required"],
    ["true", number, "", "number is required"],
    ["[1]", string, "", "string is required"],
    ['{"b":1}', object({ a: string }), "", 'unsupported attribute "b"'],
    ['["a",[]]', list(string), "[1]", "string is required"],
    ['{"k":[]}', map(string), '["k"]', "string is required"],
    ["[1,2]", tuple(number), "", "too many tuple elements (need 1)"],
    ["[]", tuple(number), "", "not enough tuple elements (need 1)"],
    ['{"foo":1}', dynamic, "", 'invalid key "foo" in dynamically-typed value'],
    ['{"value":1}', dynamic, "", "missing type in dynamically-typed value"],
    ['{"type":"number"}', dynamic, "", "missing value in dynamically-typed value"],
    ["[1 2]", list(number), "", 'invalid character "2" at offset 3, , or ] expected'],
    ["", string, "", "unexpected end of JSON input"],
    ['"\u0001"', string, "", 'invalid character "\\u0001" at offset 1, the end of a string expected'],
  ])("rejects %s as %o", ([json, type, path, message], { expect }) => {
    let error: unknown;
    try {
      decode(json, type);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "MALFORMED", message });
    expect(formatPath((error as CtyError).path)).toBe(path);
  });
  test("skips attributes that the type does not have, with ignoreUndefinedAttributes", ({ expect }) => {
    const json = '{"old":{"x":[1]},"a":"b"}';
    expect(goString(decode(json, object({ a: string }), { ignoreUndefinedAttributes: true }))).toBe(
      'cty.ObjectVal(map[string]cty.Value{"a":cty.StringVal("b")})',
    );
  });
  test("rejects deep nesting", ({ expect }) => {
    const deep = `{"x":${"[".repeat(50_000)}`;
    expect(() => decode(deep, object({}), { ignoreUndefinedAttributes: true })).toThrow(expect.objectContaining({ code: "LIMIT" }));
    expect(() => impliedType("[".repeat(50_000))).toThrow(expect.objectContaining({ code: "LIMIT" }));
  });
});

describe("types as JSON", () => {
  test("are the same after encoding and decoding", ({ expect }) => {
    fc.assert(
      fc.property(types, (type) => {
        expect(decodeType(encodeType(type))).toBe(type);
      }),
    );
    const withOptional = object({ b: optional(string), a: list(dynamic) });
    expect(encodeType(withOptional)).toBe('["object",{"a":["list","dynamic"],"b":"string"},["b"]]');
    expect(decodeType(encodeType(withOptional))).toBe(withOptional);
  });
  test.for([
    ['"foo"', 'invalid primitive type name "foo"'],
    ['"string" 1', "extraneous data after type description"],
    ["{}", "invalid complex type description"],
    ["[]", "invalid complex type kind name"],
    ['["foo","string"]', "invalid complex type kind name"],
    ['["list","string",1]', "unexpected extra data in type description"],
    ["1", "invalid type description"],
    ['["object",{"a":"string"},["b"]]', 'optional contains undeclared attribute "b"'],
  ])("%s: %s", ([json, message], { expect }) => {
    expect(() => decodeType(json!)).toThrow(expect.objectContaining({ code: "INVALID_TYPE", message }));
  });
  test("cannot be encoded for capsules", ({ expect }) => {
    expect(() => encodeType(list(capsule("blob")))).toThrow("type not allowed: blob");
  });
  test("are implied by JSON", ({ expect }) => {
    expect(inspect(impliedType('{"a":[1,"x",null],"b":{}}'))).toBe(
      'cty.Object(map[string]cty.Type{"a":cty.Tuple([]cty.Type{cty.Number, cty.String, cty.DynamicPseudoType}), "b":cty.EmptyObject})',
    );
    expect(() => impliedType('{"a":1,"a":"x"}')).toThrow('duplicate "a" property in JSON object');
    expect(() => impliedType("1 2")).toThrow("extraneous data after JSON object");
  });
});

test("the end of the input after a key is reported at that key", ({ expect }) => {
  expect(() => decode('{"a"', map(number))).toThrow(expect.objectContaining({ code: "MALFORMED", path: [indexStep("a")] }));
  expect(() => decode('{"a"', object({ a: number }))).toThrow(expect.objectContaining({ code: "MALFORMED", path: [attributeStep("a")] }));
});
