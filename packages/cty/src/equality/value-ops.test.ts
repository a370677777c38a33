// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { typedValues } from "../../test/arbitrary.ts";
import {
  bool,
  dynamic,
  equals,
  get,
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
  tuple,
  unknown,
  type Value,
} from "../index.ts";
import {
  elements,
  hasIndex,
  index,
  length,
  absolute,
  add,
  and,
  divide,
  greaterThan,
  lessThan,
  multiply,
  negate,
  not,
  or,
  zero,
} from "../operators/index.ts";

const unknownBool = "cty.UnknownVal(cty.Bool).RefineNotNull()";
const bounded = (min: number, max: number): Value => unknown(number, { notNull: true, min, max });

describe("equals", () => {
  test.for<[string, Value, Value, string]>([
    ["nulls of different types", nullOf(string), nullOf(number), "cty.True"],
    ["null and something known", nullOf(string), of(string, "a"), "cty.False"],
    ["null and unknown", nullOf(string), unknown(string), unknownBool],
    ["null and unknown that is not null", nullOf(string), unknown(string, { notNull: true }), "cty.False"],
    ["different types", of(string, "1"), of(number, 1), "cty.False"],
    ["known and unknown of another type", of(string, "1"), unknown(number), "cty.False"],
    ["known and unknown with another prefix", of(string, "abc"), unknown(string, { prefixFull: "x" }), "cty.False"],
    ["known and unknown out of range", of(number, 5), bounded(1, 3), "cty.False"],
    ["known and unknown within range", of(number, 2), bounded(1, 3), unknownBool],
    ["anything and the unknown of any type", of(string, "a"), unknown(dynamic), unknownBool],
    ["a list with something unknown first", of(list(number), [unknown(number), 1]), of(list(number), [1, 2]), unknownBool],
    ["a list that differs before something unknown", of(list(number), [1, unknown(number)]), of(list(number), [2, 2]), "cty.False"],
    [
      "objects that differ beside something unknown",
      of(object({ a: number, b: number }), { a: unknown(number), b: 1 }),
      of(object({ a: number, b: number }), { a: 1, b: 2 }),
      "cty.False",
    ],
    [
      "sets with something unknown inside an element",
      of(set(list(number)), [[unknown(number)]]),
      of(set(list(number)), [[1]]),
      "cty.False",
    ],
    ["sets with an unknown element", of(set(number), [unknown(number)]), of(set(number), [1]), unknownBool],
    ["marks of both, also inside", of(list(string), [mark(of(string, "a"), "m")]), of(list(string), ["a"]), 'cty.True.Mark("m")'],
    ["null beside marks inside", of(list(string), [mark(of(string, "a"), "m")]), nullOf(list(string)), "cty.False"],
  ])("%s", ([, a, b, want], { expect }) => {
    expect([goString(equals(a, b)), goString(equals(b, a))]).toEqual([want, want]);
  });

  test("a value without unknown parts equals itself", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: false }), (value) => {
        expect(goString(equals(value, value))).toBe("cty.True");
      }),
    );
  });
});

describe("same", () => {
  test("compares unknown parts, refinements and marks", ({ expect }) => {
    expect(same(unknown(string), unknown(string))).toBe(true);
    expect(same(unknown(string), unknown(string, { notNull: true }))).toBe(false);
    expect(same(nullOf(string), nullOf(number))).toBe(false);
    expect(same(mark(of(string, "a"), "m"), of(string, "a"))).toBe(false);
    expect(same(of(list(number), [0.5, 1]), of(list(number), [0.5, 1n]))).toBe(true);
  });
});

describe("arithmetic on values", () => {
  test("derives bounds for unknown results", ({ expect }) => {
    expect(goString(add(bounded(1, 3), of(number, 10)))).toBe(
      "cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound(cty.NumberIntVal(11), true).NumberUpperBound(cty.NumberIntVal(13), true).NewValue()",
    );
    expect(goString(multiply(bounded(-2, 3), of(number, -2)))).toContain(
      "NumberLowerBound(cty.NumberIntVal(-6), true).NumberUpperBound(cty.NumberIntVal(4), true)",
    );
    expect(goString(divide(bounded(1, 3), of(number, 2)))).toBe("cty.UnknownVal(cty.Number).RefineNotNull()");
    expect(goString(absolute(unknown(number)))).toBe(
      "cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound(cty.NumberIntVal(0), true).NewValue()",
    );
    expect(goString(negate(unknown(dynamic)))).toBe("cty.UnknownVal(cty.Number).RefineNotNull()");
  });
  test("returns a known product of an unknown number only for the constant zero", ({ expect }) => {
    expect(goString(multiply(unknown(number), zero))).toBe("cty.NumberIntVal(0)");
    expect(goString(multiply(unknown(number), of(number, 0)))).toBe("cty.UnknownVal(cty.Number).RefineNotNull()");
  });
  test("rejects null and other types, and propagates marks", ({ expect }) => {
    expect(() => add(nullOf(number), of(number, 1))).toThrow(expect.objectContaining({ code: "NULL" }));
    expect(() => add(of(string, "1"), of(number, 1))).toThrow("type mismatch: want number but value 0 is string");
    expect(goString(add(mark(of(number, 1), "m"), of(number, 2)))).toBe('cty.NumberIntVal(3).Mark("m")');
  });
});

describe("comparison and logic", () => {
  test("disjoint ranges have a known order", ({ expect }) => {
    expect(goString(lessThan(bounded(1, 3), bounded(4, 5)))).toBe("cty.True");
    expect(goString(greaterThan(bounded(1, 3), bounded(4, 5)))).toBe("cty.False");
    expect(goString(lessThan(bounded(1, 4), bounded(4, 5)))).toBe(unknownBool);
  });
  test("one operand can determine the result", ({ expect }) => {
    expect(goString(and(of(bool, false), unknown(bool)))).toBe("cty.False");
    expect(goString(or(unknown(bool), of(bool, true)))).toBe("cty.True");
    expect(goString(and(of(bool, true), unknown(bool)))).toBe(unknownBool);
    expect(goString(not(unknown(bool)))).toBe(unknownBool);
  });
});

describe("parts of values", () => {
  const thing = of(object({ a: string, b: list(number) }), { a: "x", b: [1, 2] });
  test("attributes", ({ expect }) => {
    expect(goString(get(thing, "a"))).toBe('cty.StringVal("x")');
    expect(goString(get(mark(thing, "m"), "a"))).toBe('cty.StringVal("x").Mark("m")');
    expect(goString(get(unknown(thing.type, { notNull: true }), "a"))).toBe("cty.UnknownVal(cty.String)");
    expect(goString(get(unknown(dynamic), "a"))).toBe("cty.DynamicVal");
    expect(() => get(nullOf(thing.type), "a")).toThrow(expect.objectContaining({ code: "NULL" }));
    // @ts-expect-error an attribute the type does not have
    expect(() => get(thing, "nope")).toThrow("value has no attribute of that name");
  });
  test("elements by key", ({ expect }) => {
    expect(goString(index(get(thing, "b"), 1))).toBe("cty.NumberIntVal(2)");
    expect(() => index(get(thing, "b"), 2)).toThrow(expect.objectContaining({ code: "MISUSE" }));
    expect(goString(index(of(map(string), { a: "1" }), "b"))).toBe("cty.NullVal(cty.String)");
    expect(goString(index(of(tuple(string, bool), ["a", true]), unknown(number)))).toBe("cty.DynamicVal");
    expect(goString(hasIndex(get(thing, "b"), 2))).toBe("cty.False");
    expect(goString(hasIndex(get(thing, "b"), "x"))).toBe("cty.False");
    expect(goString(hasIndex(unknown(list(string)), 0))).toBe(unknownBool);
  });
  test("length", ({ expect }) => {
    expect(goString(length(get(thing, "b")))).toBe("cty.NumberIntVal(2)");
    expect(goString(length(unknown(tuple(string, bool))))).toBe("cty.NumberIntVal(2)");
    expect(goString(length(of(set(string), ["a", unknown(string)])))).toContain(
      "NumberLowerBound(cty.NumberIntVal(1), true).NumberUpperBound(cty.NumberIntVal(2), true)",
    );
    expect(goString(length(of(set(string), [unknown(string)])))).toBe("cty.NumberIntVal(1)");
    expect(goString(length(unknown(list(string))))).toContain("NumberUpperBound(cty.NumberIntVal(9.223372036854775807e+18), true)");
  });
  test("all elements with their keys", ({ expect }) => {
    const shown = elements(of(map(bool), { b: true, a: false })).map(([key, element]) => [goString(key), goString(element)]);
    expect(shown).toEqual([
      ['cty.StringVal("a")', "cty.False"],
      ['cty.StringVal("b")', "cty.True"],
    ]);
    expect(() => elements(unknown(list(string)))).toThrow(expect.objectContaining({ code: "UNKNOWN" }));
  });
});
