// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import {
  bool,
  equals,
  goString,
  list,
  map,
  mark,
  nullOf,
  number,
  object,
  of,
  set,
  string,
  toJs,
  tuple,
  unknown,
  type Type,
  type Value,
} from "../index.ts";
import { hash, hasElement } from "../operators/index.ts";
import { numberFromText } from "../number/big-float.ts";
import { hashText } from "./set-hash.ts";

const hashOf = (value: Value): string => hashText(value.type, value.payload);

describe("the hash text of a value", () => {
  test.for<[Value, string]>([
    [unknown(string), "?"],
    [unknown(list(bool), { notNull: true }), "?"],
    [nullOf(number), "~"],
    [of(bool, true), "T"],
    [of(bool, false), "F"],
    [of(number, 12), "12"],
    [of(number, 10n ** 21n), "1e+21"],
    [of(string, 'a"b\u00ad\u0007'), '"a\\"b\\u00ad\\a"'],
    [of(list(string), ["x", null]), '["x";~;]'],
    [of(set(number), [3, 1]), "[1;3;]"],
    [of(map(bool), { b: true, a: false }), '{"a":F;"b":T;}'],
    [of(object({ b: number, a: string }), { a: "x", b: 1 }), '<"x";1;>'],
    [of(tuple(number, bool), [1, true]), "<1;T;>"],
  ])("%o: %s", ([value, want], { expect }) => {
    expect(hashOf(value)).toBe(want);
  });

  test("has go-cty's hash", ({ expect }) => {
    expect(hash(of(string, "hello"))).toBe(1996738226);
    expect(() => hash(mark(of(string, "a"), "secret"))).toThrow(expect.objectContaining({ code: "MARKED" }));
  });
});

const members = (type: Type, elements: readonly unknown[]): string => goString(of(set(type) as Type, elements));

describe("sets", () => {
  test("order strings by code point, without duplicates", ({ expect }) => {
    expect(toJs(of(set(string), ["b", "\u{1f600}", "\uffff", "a", "b"]))).toEqual(["a", "b", "\uffff", "\u{1f600}"]);
  });
  test("order numbers by value, bools false first, null last, unknown before it", ({ expect }) => {
    expect(members(number, [10, null, 9, unknown(number)])).toBe(
      "cty.SetVal([]cty.Value{cty.NumberIntVal(9), cty.NumberIntVal(10), cty.UnknownVal(cty.Number), cty.NullVal(cty.Number)})",
    );
    expect(toJs(of(set(bool), [true, false, true]))).toEqual([false, true]);
  });
  test("order everything else by hash text: <12;> before <2;>", ({ expect }) => {
    expect(toJs(of(set(tuple(number)), [[2], [12]]))).toEqual([[12], [2]]);
    expect(toJs(of(set(list(string)), [[], ["boop"]]))).toEqual([["boop"], []]);
  });
  test("contain 0 and -0 as two elements, although they are equal", ({ expect }) => {
    const zeros = of(set(number), [0, -0]);
    expect(members(number, [0, -0])).toBe(members(number, [-0, 0]));
    expect((zeros.payload as unknown[]).length).toBe(2);
    expect(toJs(equals(of(set(number), [0]), of(set(number), [-0])))).toBe(false);
  });
  test("contain equal numbers once, even with different precisions", ({ expect }) => {
    expect((of(set(number), [0.1, numberFromText("0.1")!]).payload as unknown[]).length).toBe(1);
  });
  test("contain all unknown elements, which may have different values", ({ expect }) => {
    expect((of(set(string), [unknown(string), unknown(string)]).payload as unknown[]).length).toBe(2);
  });
  test("have the marks of their elements", ({ expect }) => {
    expect(goString(of(set(string), [mark(of(string, "a"), "m")]))).toBe('cty.SetVal([]cty.Value{cty.StringVal("a")}).Mark("m")');
  });
  test("find their members", ({ expect }) => {
    const some = of(set(number), [1, unknown(number)]);
    expect(toJs(hasElement(some, of(number, 1)))).toBe(true);
    expect(goString(hasElement(some, of(number, 2)))).toBe("cty.UnknownVal(cty.Bool).RefineNotNull()");
    expect(toJs(hasElement(of(set(number), [-0]), of(number, 0)))).toBe(false);
  });
});
