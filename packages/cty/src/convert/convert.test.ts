// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { inspect } from "node:util";
import { describe, test } from "vitest";
import { typedValues } from "../../test/arbitrary.ts";
import {
  bool,
  capsule,
  capsuleOf,
  dynamic,
  formatPath,
  goString,
  list,
  listOf,
  map,
  mapOf,
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
  type CtyError,
  type Type,
  type Value,
} from "../index.ts";
import { convert, getConversion, getConversionUnsafe, mismatchMessage, unify, unifyUnsafe } from "./index.ts";

describe("getConversion", () => {
  const every: readonly Type[] = [
    string,
    number,
    bool,
    list(string),
    set(string),
    map(string),
    object({ a: string }),
    tuple(string),
    dynamic,
  ];
  // s: safe, u: unsafe only, -: none. Rows are source types, columns are target types.
  const chart = ["-uu-----s", "s-------s", "s-------s", "---su---s", "---ss---s", "------u-s", "-----ss-s", "---ss--ss", "uuuuuuuus"];
  test("finds the conversions of go-cty's table", ({ expect }) => {
    const found = every.map((from) =>
      every.map((to) => (getConversion(from, to) ? "s" : getConversionUnsafe(from, to) ? "u" : "-")).join(""),
    );
    expect(found).toEqual(chart);
  });
});

describe("convert", () => {
  test.for<[Value, Type, string]>([
    [of(number, 0.5), string, 'cty.StringVal("0.5")'],
    [of(bool, true), string, 'cty.StringVal("true")'],
    [of(string, "0"), bool, "cty.False"],
    [of(string, "1e3"), number, "cty.NumberIntVal(1000)"],
    [of(list(string), ["b", "a", "b"]), set(string), 'cty.SetVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})'],
    [of(tuple(number, string), [1, "a"]), list(dynamic), 'cty.ListVal([]cty.Value{cty.StringVal("1"), cty.StringVal("a")})'],
    [
      of(object({ a: number, b: bool }), { a: 1, b: true }),
      map(string),
      'cty.MapVal(map[string]cty.Value{"a":cty.StringVal("1"), "b":cty.StringVal("true")})',
    ],
    [
      of(object({ a: string, extra: bool }), { a: "x", extra: true }),
      object({ a: string, b: optional(number) }),
      'cty.ObjectVal(map[string]cty.Value{"a":cty.StringVal("x"), "b":cty.NullVal(cty.Number)})',
    ],
    [of(map(string), { a: "1", z: "x" }), object({ a: number }), 'cty.ObjectVal(map[string]cty.Value{"a":cty.NumberIntVal(1)})'],
    [nullOf(dynamic), list(string), "cty.NullVal(cty.List(cty.String))"],
    [
      unknown(tuple(string, bool), { notNull: true }),
      list(string),
      "cty.ListVal([]cty.Value{cty.UnknownVal(cty.String), cty.UnknownVal(cty.String)})",
    ],
    [
      unknown(tuple(string, bool)),
      set(string),
      "cty.UnknownVal(cty.Set(cty.String)).Refine().CollectionLengthLowerBound(1).CollectionLengthUpperBound(2).NewValue()",
    ],
    [
      unknown(list(string), { lengthMin: 5, lengthMax: 9 }),
      set(string),
      "cty.UnknownVal(cty.Set(cty.String)).Refine().CollectionLengthLowerBound(1).CollectionLengthUpperBound(9).NewValue()",
    ],
    [unknown(list(string)), list(dynamic), "cty.UnknownVal(cty.List(cty.String)).Refine().NewValue()"],
    [of(set(number), [1, unknown(number)]), list(string), "cty.UnknownVal(cty.List(cty.Number))"],
    [mark(of(string, "1"), "m"), number, 'cty.NumberIntVal(1).Mark("m")'],
  ])("%o to %o: %s", ([value, type, want], { expect }) => {
    expect(goString(convert(value, type))).toBe(want);
  });

  test.for<[Value, Type, string, string]>([
    [of(string, "x"), number, "", "a number is required"],
    [of(string, "True"), bool, "", 'a bool is required; to convert from string, use lowercase "true"'],
    [of(list(string), ["1", "x"]), list(number), "[1]", "a number is required"],
    [of(object({ a: list(string) }), { a: ["x"] }), object({ a: set(bool) }), ".a[0]", "a bool is required"],
    [of(map(string), {}), object({ a: string }), "", 'map has no element for required attribute "a"'],
    [of(list(string), []), tuple(string), "", "tuple required"],
    [
      of(object({ a: string }), { a: "x" }),
      object({ a: string, b: bool, c: bool, d: bool }),
      "",
      'attributes "b", "c", and "d" are required',
    ],
  ])("rejects %o as %o", ([value, type, path, message], { expect }) => {
    let error: unknown;
    try {
      convert(value, type);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "CONVERSION", message });
    expect(formatPath((error as CtyError).path)).toBe(path);
  });

  test("returns the same value for its own type", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: true }), (value) => {
        expect(convert(value, value.type)).toBe(value);
        expect(same(convert(value, dynamic), value)).toBe(true);
      }),
    );
  });

  test("keeps the element type of an empty collection, with its optional attributes, if the target's is dynamic", ({ expect }) => {
    const element = object({ name: string, a: optional(number) });
    expect(convert(mapOf(new Map(), element), map(dynamic)).type).toBe(map(element));
    expect(convert(listOf([], element), set(dynamic)).type).toBe(set(element));
  });

  test("uses the conversions of capsule types", ({ expect }) => {
    const blob = capsule<{ text: string }>("blob", {
      conversionTo: (source) => (source === string ? (value) => ({ text: goString(value) }) : undefined),
      conversionFrom: (target) => (target === string ? (native) => of(string, native.text) : undefined),
    });
    expect(convert(of(string, "a"), blob).payload).toMatchObject({ native: { text: 'cty.StringVal("a")' } });
    expect(goString(convert(capsuleOf(blob, { text: "b" }), string))).toBe('cty.StringVal("b")');
    expect(() => convert(of(number, 1), blob)).toThrow("blob required, but have number");
  });
});

describe("unify", () => {
  test.for<[readonly Type[], string | undefined, string | undefined]>([
    [[], undefined, undefined],
    [[string, number], "cty.String", "cty.String"],
    [[number, bool], undefined, undefined],
    [[list(string), list(number)], "cty.List(cty.String)", "cty.List(cty.String)"],
    [[list(string), set(string)], "cty.List(cty.String)", "cty.List(cty.String)"],
    [[tuple(string), tuple(number)], "cty.Tuple([]cty.Type{cty.String})", "cty.Tuple([]cty.Type{cty.String})"],
    [[tuple(string), tuple(number, bool)], "cty.List(cty.String)", "cty.List(cty.String)"],
    [[object({ a: string }), object({ b: number })], "cty.Map(cty.String)", "cty.Map(cty.String)"],
    [[object({ a: string }), map(number)], "cty.Map(cty.String)", "cty.Map(cty.String)"],
    [[object({ a: string }), tuple(string)], undefined, undefined],
    [[list(string), dynamic], "cty.DynamicPseudoType", "cty.DynamicPseudoType"],
    [[string, dynamic], "cty.DynamicPseudoType", "cty.String"],
  ])("%o: %s", ([types, safe, unsafe], { expect }) => {
    const name = (found: { type: Type } | undefined): string | undefined => (found ? inspect(found.type) : undefined);
    expect([name(unify(types)), name(unifyUnsafe(types))]).toEqual([safe, unsafe]);
  });

  test("converts a map that an earlier step converted to an object", ({ expect }) => {
    const wide = map(object({ name: string, id: number, b: bool, x: list(bool) }));
    const values = [
      of(wide, {}),
      of(object({ name: object({}), id: object({ name: bool }) }), { name: {}, id: { name: true } }),
      of(map(object({})), {}),
    ];
    const { type, conversions } = unifyUnsafe(values.map((value) => value.type))!;
    const converted = values.map((value, index) => conversions[index]?.(value) ?? value);
    expect([type, converted.map(({ type: own }) => own)]).toEqual([map(object({})), [map(object({})), map(object({})), map(object({}))]]);
  });

  test("returns a conversion for each type that needs one", ({ expect }) => {
    const { conversions } = unify([string, number])!;
    expect(conversions[0]).toBeUndefined();
    expect(goString(conversions[1]!(of(number, 1)))).toBe('cty.StringVal("1")');
  });
});

test.for<[Type, Type, string]>([
  [tuple(string, number), list(dynamic), "all list elements must have the same type"],
  [tuple(string, list(bool)), list(string), "element 1: string required, but have list of bool"],
  [object({ a: string }), object({ a: list(string) }), 'attribute "a": list of string required, but have string'],
  [map(string), list(string), "list of string required"],
  [list(string), list(list(string)), "incorrect list element type: list of string required, but have string"],
  [bool, number, "number required, but have bool"],
  [map(string), dynamic, "any type required, but have map of string"],
])("mismatchMessage for %o and %o", ([got, want, message], { expect }) => {
  expect(mismatchMessage(got, want)).toContain(message.split(",")[0]);
});
