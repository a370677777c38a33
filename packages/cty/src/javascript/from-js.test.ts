// SPDX-License-Identifier: Apache-2.0
import { describe, expectTypeOf, test } from "vitest";
import {
  bool,
  CtyError,
  dynamic,
  formatPath,
  get,
  goString,
  list,
  map,
  nullOf,
  number,
  object,
  of,
  optional,
  set,
  string,
  toJs,
  tuple,
  unknown,
  type Infer,
  type Num,
  type Type,
  type Value,
} from "../index.ts";

const Instance = object({ name: string, port: optional(number), tags: map(string), pair: tuple(string, bool), cidrs: set(string) });

describe("of", () => {
  test("converts data, which may contain values", ({ expect }) => {
    const value = of(Instance, { name: "e\u0301", tags: new Map([["b", "2"]]), pair: ["a", unknown(bool)], cidrs: new Set(["x", "x"]) });
    expect(goString(value)).toBe(
      'cty.ObjectVal(map[string]cty.Value{"cidrs":cty.SetVal([]cty.Value{cty.StringVal("x")}), "name":cty.StringVal("é"), "pair":cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.UnknownVal(cty.Bool)}), "port":cty.NullVal(cty.Number), "tags":cty.MapVal(map[string]cty.Value{"b":cty.StringVal("2")})})',
    );
    expectTypeOf(get(value, "name")).toEqualTypeOf<Value<typeof string>>();
  });

  test("determines the type of data for dynamic", ({ expect }) => {
    expect(goString(of(dynamic, [1, "a", { x: null }]))).toBe(
      'cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.StringVal("a"), cty.ObjectVal(map[string]cty.Value{"x":cty.NullVal(cty.DynamicPseudoType)})})',
    );
    expect(of(object({ a: dynamic }), { a: "x" }).type).toBe(object({ a: string }));
    expect(of(list(dynamic), ["a", null, unknown(dynamic)]).type).toBe(list(string));
    expect(() => of(list(dynamic), ["a", 1])).toThrow("inconsistent list element types (cty.String then cty.Number)");
  });

  const mistakes: readonly (readonly [Type, unknown, string, string])[] = [
    [Instance, { name: "a", tags: {}, pair: ["a", true] }, "", 'missing required attribute "cidrs": give it a value, or null'],
    [
      Instance,
      { name: "a", tags: {}, pair: ["a", true], cidrs: undefined },
      "",
      'missing required attribute "cidrs": give it a value, or null',
    ],
    [Instance, { name: "a", tags: {}, pair: ["a", true], cidrs: [], x: 1 }, "", 'unsupported attribute "x"'],
    [Instance, { name: "a", tags: { k: 1 }, pair: ["a", true], cidrs: [] }, '.tags["k"]', "a string is required, not a number"],
    [Instance, { name: "a", tags: {}, pair: ["a"], cidrs: [] }, ".pair", "2 elements are required, but got 1"],
    [list(number), [1, Number.NaN], "[1]", "a number is required, not NaN"],
    [list(number), [1, undefined], "[1]", "a number is required, not undefined, use null"],
    [string, new Date(0), "", "a string is required, not a Date: use toISOString()"],
    [dynamic, { a: [new URL("file:/")] }, ".a[0]", "a value is required, not an instance of URL"],
    [dynamic, { f: () => 1 }, ".f", "a value is required, not a function"],
    [map(bool), [true], "", "a map of bool is required, not an array"],
    [string, of(number, 1), "", "string required, but received number"],
  ];
  test.for(mistakes)("refuses %o %o", ([type, data, path, message], { expect }) => {
    let error: unknown;
    try {
      of(type, data);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(CtyError);
    expect(error).toMatchObject({ code: "INVALID_VALUE", message });
    expect(formatPath((error as CtyError).path)).toBe(path);
  });

  test("rejects wrong data at compile time", ({ expect }) => {
    // @ts-expect-error a number where a string belongs
    expect(() => of(object({ a: string }), { a: 1 })).toThrow();
    // @ts-expect-error an attribute is missing
    expect(() => of(object({ a: string, b: optional(string) }), {})).toThrow();
    expect(goString(of(object({ b: optional(string) }), {}))).toBe('cty.ObjectVal(map[string]cty.Value{"b":cty.NullVal(cty.String)})');
  });
});

describe("JavaScript data", () => {
  test("may be a Map for a map or object, a Set for a set, a bigint for a number", ({ expect }) => {
    const Both = object({ m: map(number), s: set(number), o: object({ a: number, b: optional(bool) }) });
    const records = of(Both, { m: { a: 1, b: 2 }, s: [2, 1], o: { a: 3 } });
    const others = of(Both, {
      m: new Map([
        ["b", 2n],
        ["a", 1n],
      ]),
      s: new Set([1n, 2n]),
      o: new Map([["a", 3n]]) as never,
    });
    expect(others).toEqual(records);
    expect(of(dynamic, new Map([["a", new Set([1n])]])).type).toBe(map(set(number)));
    expect(toJs(of(number, 2n ** 63n + 1n))).toBe(2n ** 63n + 1n);
    expect(toJs(of(number, -0))).toBe(-0);
  });

  test("has null for a missing value; undefined is allowed only for optional attributes", ({ expect }) => {
    const Port = object({ port: optional(number) });
    for (const left of [{}, { port: undefined }, { port: null }]) expect(toJs(get(of(Port, left as never), "port"))).toBeNull();
    expect(toJs(of(Port, null))).toBeNull();
    expect(() => of(Port, undefined as never)).toThrow("an object is required, not undefined, use null");
  });
});

describe("toJs", () => {
  test("returns plain data with all digits", ({ expect }) => {
    const data = { name: "a", port: null, tags: { "": "1" }, pair: ["x", false], cidrs: ["b"] } as const;
    expect(toJs(of(Instance, data))).toEqual(
      Object.assign(Object.create(null), { ...data, tags: Object.assign(Object.create(null), data.tags) }),
    );
    expect(toJs(of(list(number), [1, 0.5, 2n ** 53n + 1n]))).toEqual([1, 0.5, 2n ** 53n + 1n]);
    expect(toJs(nullOf(string))).toBeNull();
    expectTypeOf<Infer<typeof Instance>>().toEqualTypeOf<{
      readonly name: string | null;
      readonly port: Num | null;
      readonly tags: Readonly<Record<string, string | null>> | null;
      readonly pair: readonly [string | null, boolean | null] | null;
      readonly cidrs: readonly (string | null)[] | null;
    } | null>();
  });
});
