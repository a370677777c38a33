// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { unpack, Unpackr } from "msgpackr";
import { describe, test } from "vitest";
import { typedValues } from "../../test/arbitrary.ts";
import { convert } from "../convert/index.ts";
import {
  bool,
  capsule,
  capsuleOf,
  CtyError,
  dynamic,
  formatPath,
  goString,
  list,
  map,
  mark,
  nullOf,
  number,
  object,
  of,
  same,
  set,
  string,
  toJs,
  tuple,
  unknown,
  type Type,
  type Value,
} from "../index.ts";
import { numberFromDouble, numberFromText, valueOf } from "../unstable/payload.ts";
import { decode, encode, encodeTo, Writer } from "./index.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytes = (text: string): Uint8Array => Buffer.from(text.replaceAll(" ", ""), "hex");
const utf8 = (text: string): string => Buffer.from(text).toString("hex");
const parsed = (text: string): Value => valueOf(number, numberFromText(text)!);

describe("encode", () => {
  test.for<[Value, string]>([
    [of(bool, true), "c3"],
    [of(bool, false), "c2"],
    [of(string, "foo"), "a3666f6f"],
    [of(string, "a".repeat(32)), `d920${"61".repeat(32)}`],
    [of(string, "é".repeat(128)), `da0100${"c3a9".repeat(128)}`],
    [of(number, 0), "00"],
    [of(number, -0), "00"],
    [of(number, 127), "7f"],
    [of(number, 255), "ccff"],
    [of(number, 65535), "cdffff"],
    [of(number, 2 ** 32 - 1), "ceffffffff"],
    [of(number, 2 ** 32), "cf0000000100000000"],
    [of(number, 2n ** 53n + 1n), "cf0020000000000001"],
    [of(number, 2n ** 63n - 1n), "cf7fffffffffffffff"],
    [of(number, 2n ** 63n), `b3${utf8("9223372036854775808")}`],
    [of(number, -1), "ff"],
    [of(number, -32), "e0"],
    [of(number, -33), "d0df"],
    [of(number, -129), "d1ff7f"],
    [of(number, -32769), "d2ffff7fff"],
    [of(number, -(2n ** 31n) - 1n), "d3ffffffff7fffffff"],
    [of(number, -(2n ** 63n)), "d38000000000000000"],
    [of(number, -(2n ** 63n) - 1n), `b4${utf8("-9223372036854775809")}`],
    [parsed("1e500"), `da01f5${utf8(`1${"0".repeat(500)}`)}`],
    [of(number, 0.5), "cb3fe0000000000000"],
    [of(number, 0.1), "cb3fb999999999999a"],
    [parsed("0.1"), "a3302e31"],
    [parsed("0.5"), "cb3fe0000000000000"],
    [of(number, Infinity), "cb7ff0000000000000"],
    [of(number, -Infinity), "cbfff0000000000000"],
    [of(list(string), ["a", null]), "92a161c0"],
    [of(set(tuple(number)), [[2], [12]]), "92910c9102"],
    [of(map(bool), { b: true, a: false }), "82a161c2a162c3"],
    [of(object({ b: number, a: string }), { a: "x", b: 1 }), "82a161a178a16201"],
    [unknown(string), "d40000"],
    [unknown(dynamic), "d40000"],
    [unknown(string, { notNull: true }), "c7030c8101c2"],
    [unknown(string, { notNull: true, prefix: "foo-" }), "c7090c8201c202a4666f6f2d"],
    [unknown(number, { min: 0 }), "c7050c81039200c3"],
    [unknown(list(bool), { lengthMin: 128 }), "d60c8105cc80"],
    [unknown(map(bool), { lengthMax: 3 }), "c7030c810603"],
    [nullOf(list(string)), "c0"],
  ])("%o: %s", ([value, want], { expect }) => {
    expect(hex(encode(value, value.type))).toBe(want);
  });

  test("writes the type before the value if the target is dynamic", ({ expect }) => {
    expect(hex(encode(of(string, "a"), dynamic))).toBe(`92c408${utf8('"string"')}a161`);
    expect(hex(encode(nullOf(string), dynamic))).toBe(`92c408${utf8('"string"')}c0`);
    expect(hex(encode(unknown(string), dynamic))).toBe(`92c408${utf8('"string"')}d40000`);
    expect(hex(encode(nullOf(dynamic), dynamic))).toBe("c0");
    expect(hex(encode(of(object({ a: dynamic }), { a: 1 }), object({ a: dynamic })))).toBe(`81a16192c408${utf8('"number"')}01`);
  });

  test("shortens a long prefix at a safe position", ({ expect }) => {
    const value = decode(encode(unknown(string, { prefixFull: `${"a".repeat(254)}e\u0301${"b".repeat(20)}` }), string), string);
    expect(goString(value)).toContain(`StringPrefixFull("${"a".repeat(253)}")`);
  });

  test("rejects a value that does not conform, and converts it with the convert option", ({ expect }) => {
    const values = of(object({ a: list(number) }), { a: [1] });
    const type = object({ a: list(string) });
    expect(() => encode(values, type)).toThrow(
      expect.objectContaining({ code: "CONFORMANCE", message: "string required, but received number: convert the value first" }),
    );
    expect(hex(encode(values, type, { convert }))).toBe("81a16191a131");
    expect(() => encode(of(list(string), ["a"]), number, { convert })).toThrow("number required");
  });

  test("rejects marks and capsules, with their path", ({ expect }) => {
    const type = object({ a: list(string) });
    let error: unknown;
    try {
      encode(of(type, { a: ["x", mark(of(string, "y"), "secret")] }), type);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "UNSUPPORTED", message: "value has marks, so it cannot be serialized" });
    expect(formatPath((error as CtyError).path)).toBe(".a[1]");
    const blob = capsule<object>("blob");
    expect(() => encode(capsuleOf(blob, {}), blob)).toThrow("capsule types not supported for msgpack encoding");
  });

  test("appends to a caller's writer, and can use the shared writer after an error", ({ expect }) => {
    const writer = new Writer();
    encodeTo(writer, of(number, 1), number);
    encodeTo(writer, of(bool, true), bool);
    expect(hex(writer.take())).toBe("01c3");
    expect(() => encode(mark(of(string, "a"), "m"), string)).toThrow();
    expect(hex(encode(of(string, "a"), string))).toBe("a161");
  });

  test("later calls do not change earlier results", ({ expect }) => {
    // Texts of many lengths: short ones share a buffer, one does not fit into the rest of the buffer, long ones need their own.
    const lengths = Array.from({ length: 400 }, (_, index) => (index % 50 === 49 ? 3000 + index * 20 : (index * 37) % 300));
    const texts = lengths.map((length, index) => String.fromCharCode(97 + (index % 26)).repeat(length));
    const encoded = texts.map((text, index) => {
      if (index % 7 === 0) expect(() => encode(of(list(string), [text, mark(of(string, "a"), "m")]), list(string))).toThrow();
      return encode(of(string, text), string);
    });
    expect(encoded.map((each) => decode(each, string).payload)).toEqual(texts);
    expect(new Set(encoded.map(({ buffer }) => buffer)).size).toBeLessThan(50);
  });
});

describe("decode", () => {
  test("reverses encode", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: true }), (value) => {
        const decoded = decode(encode(value, value.type), value.type);
        expect(same(decoded, value), `${goString(value)} became ${goString(decoded)}`).toBe(true);
        expect(decoded.type).toBe(value.type);
        const viaDynamic = decode(encode(value, dynamic), dynamic);
        expect(same(viaDynamic, value)).toBe(true);
      }),
    );
  });

  test("an independent msgpack library reads the same data", ({ expect }) => {
    const reader = new Unpackr({ int64AsType: "bigint", mapsAsObjects: false });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "grapheme-ascii" }), fc.array(fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true })))),
        (data) => {
          const value = of(map(list(number)), data);
          const read = reader.unpack(encode(value, value.type)) as Map<string, (number | bigint)[]>;
          const plain = toJs(value) as Record<string, (number | bigint)[]>;
          expect([...read.keys()]).toEqual([...(value.payload as Map<string, unknown>).keys()]);
          for (const [key, numbers] of read) {
            const want = plain[key]!;
            expect(numbers.map(Number)).toEqual(want.map((x) => (Object.is(x, -0) ? 0 : Number(x))));
          }
        },
      ),
    );
    expect(unpack(encode(of(tuple(string, bool), ["é", true]), tuple(string, bool)))).toEqual(["é", true]);
  });

  test.for<[string, Type, string]>([
    ["01", number, "cty.NumberIntVal(1)"],
    ["cb4000000000000000", number, "cty.NumberIntVal(2)"],
    ["ca3f800000", number, "cty.NumberIntVal(1)"],
    ["cfffffffffffffffff", number, "cty.NumberIntVal(1.8446744073709551615e+19)"],
    ["a3302e31", number, 'cty.MustParseNumberVal("0.1")'],
    ["c403302e31", number, 'cty.MustParseNumberVal("0.1")'],
    [`a3${utf8("e\u0301")}`, string, 'cty.StringVal("é")'],
    ["82a162c3a161c2", map(bool), 'cty.MapVal(map[string]cty.Value{"a":cty.False, "b":cty.True})'],
    [
      "82a16201a161a178",
      object({ a: string, b: number }),
      'cty.ObjectVal(map[string]cty.Value{"a":cty.StringVal("x"), "b":cty.NumberIntVal(1)})',
    ],
    ["94a162a161a162c0", set(string), 'cty.SetVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b"), cty.NullVal(cty.String)})'],
    ["c70005", string, "cty.UnknownVal(cty.String)"],
    ["d50c80ff", string, "cty.UnknownVal(cty.String)"],
    ["c7050c8101c2ffff", dynamic, "cty.DynamicVal"],
    ["a161ffff", string, 'cty.StringVal("a")'],
    [`9292c408${utf8('"string"')}a161c0`, list(dynamic), 'cty.ListVal([]cty.Value{cty.StringVal("a"), cty.NullVal(cty.String)})'],
    ["90", list(dynamic), "cty.ListValEmpty(cty.DynamicPseudoType)"],
  ])("%s as %o: %s", ([text, type, want], { expect }) => {
    expect(goString(decode(bytes(text), type)).replace(".Refine().NewValue()", "")).toBe(want);
  });

  test("distinguishes integers and doubles by precision", ({ expect }) => {
    const double = decode(bytes("cb4000000000000000"), number);
    expect(double.payload).toEqual(numberFromDouble(2));
    expect(decode(bytes("02"), number).payload).toBe(2);
  });

  test.for<[string, Type, string, string]>([
    ["", string, "", "EOF"],
    ["a2", string, "", "string is required"],
    ["c3", string, "", "string is required"],
    ["a161", number, "", "number is required"],
    ["cb7ff8000000000000", number, "", "number is required"],
    ["01", bool, "", "bool is required"],
    ["80", list(string), "", "a list is required"],
    ["90", map(string), "", "a map is required"],
    ["9101", list(string), "[0]", "string is required"],
    ["81a16101", map(string), '["a"]', "string is required"],
    ["8101a161", map(string), "", "non-string key in map"],
    ["91a161", tuple(string, bool), "", "a tuple of length 2 is required"],
    ["90", tuple(string), "", "a tuple of length 1 is required"],
    ["80", object({ a: string }), "", "an object with 1 attributes is required (0 given)"],
    ["81a162a161", object({ a: string }), '["b"]', "unsupported attribute"],
    ["82a161a161a161a161", object({ a: string, b: string }), '["a"]', "duplicate attribute"],
    ["810101", object({ a: string }), "", "all keys must be strings"],
    ["93010203", dynamic, "", "dynamic value array must have exactly two elements"],
    [`92c403${utf8('"x"')}01`, dynamic, "", 'invalid primitive type name "x"'],
    ["c7020d8101", string, "", "unsupported extension type 0x0d with len 2"],
    ["c704 0c 01020304", string, "", "failed to decode msgpack extension body: not a map"],
    ["c703 0c 810263", number, "", "failed to decode msgpack extension body: string prefix refinement for non-string type"],
    ["c703 0c 810701", number, "", "failed to decode msgpack extension body: unsupported refinement 7"],
    ["c709 0c 82039205c3049201c3", number, "", "number lower bound cty.NumberIntVal(5) is greater than upper bound cty.NumberIntVal(1)"],
    [
      `9292c408${utf8('"string"')}a16192c408${utf8('"number"')}01`,
      list(dynamic),
      "",
      "inconsistent list element types (cty.String then cty.Number)",
    ],
  ])("rejects %s as %o", ([text, type, path, message], { expect }) => {
    let error: unknown;
    try {
      decode(bytes(text), type);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "MALFORMED", message });
    expect(formatPath((error as CtyError).path)).toBe(path);
  });

  test("rejects lengths beyond the input, and deep nesting", ({ expect }) => {
    expect(() => decode(bytes("ddffffffff"), list(string))).toThrow(expect.objectContaining({ code: "MALFORMED" }));
    expect(() => decode(bytes("dfffffffff"), map(string))).toThrow(expect.objectContaining({ code: "MALFORMED" }));
    expect(() => decode(bytes("c8010000"), string)).toThrow(expect.objectContaining({ code: "MALFORMED" }));
    expect(() => decode(bytes("c9ffffffff0c"), string)).toThrow(expect.objectContaining({ code: "LIMIT" }));
    expect(() => decode(bytes(`c804010c${"00".repeat(1025)}`), string)).toThrow("oversize unknown value refinement");
    const nested = `92c412${utf8('["list","dynamic"]')}91`.repeat(20_000);
    expect(() => decode(bytes(nested), dynamic)).toThrow(expect.objectContaining({ code: "LIMIT" }));
    const deepType = `${'["list",'.repeat(20_000)}"string"${"]".repeat(20_000)}`;
    expect(() => decode(bytes(`92c6${deepType.length.toString(16).padStart(8, "0")}${utf8(deepType)}c0`), dynamic)).toThrow(CtyError);
  });

  test("decode returns a value or throws a CtyError for any bytes", ({ expect }) => {
    const type = object({ a: dynamic, b: set(list(number)), c: map(tuple(string, bool)) });
    const valid = encode(of(type, { a: ["x", 1], b: [[1, 2.5]], c: { k: ["v", unknown(bool, { notNull: true })] } }), type);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: valid.length - 1 }), fc.nat({ max: 255 })), { maxLength: 4 }),
        fc.nat({ max: valid.length }),
        (changes, end) => {
          const broken = Uint8Array.from(valid);
          for (const [at, byte] of changes) broken[at] = byte;
          try {
            decode(broken.subarray(0, end), type);
          } catch (error) {
            expect(error).toBeInstanceOf(CtyError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
