// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import {
  bool,
  dynamic,
  goString,
  list,
  map,
  mark,
  nullOf,
  number,
  of,
  range,
  rangeIncludes,
  refine,
  same,
  set,
  string,
  toJs,
  unknown,
  type Refinements,
  type Type,
  type Value,
} from "../index.ts";

const refined = (type: Type, refinements: Refinements): string => goString(unknown(type, refinements)).replace("cty.UnknownVal", "");

describe("refining an unknown value", () => {
  test.for<[Type, Refinements, string]>([
    [string, { notNull: true }, "(cty.String).RefineNotNull()"],
    [string, { notNull: true, prefix: "foo-" }, '(cty.String).Refine().NotNull().StringPrefixFull("foo-").NewValue()'],
    [string, { prefix: "foo" }, '(cty.String).Refine().StringPrefixFull("fo").NewValue()'],
    [string, { prefixFull: "foo" }, '(cty.String).Refine().StringPrefixFull("foo").NewValue()'],
    [
      number,
      { min: 1, max: { value: 5, inclusive: false } },
      "(cty.Number).Refine().NumberLowerBound(cty.NumberIntVal(1), true).NumberUpperBound(cty.NumberIntVal(5), false).NewValue()",
    ],
    [number, { min: -Infinity, notNull: true }, "(cty.Number).RefineNotNull()"],
    [number, { min: unknown(number), notNull: true }, "(cty.Number).RefineNotNull()"],
    [
      list(string),
      { lengthMin: 1, lengthMax: 2 },
      "(cty.List(cty.String)).Refine().CollectionLengthLowerBound(1).CollectionLengthUpperBound(2).NewValue()",
    ],
    [dynamic, { notNull: true }, "cty.DynamicVal"],
    [string, { null: true }, "cty.NullVal(cty.String)"],
    [number, { notNull: true, min: 3, max: 3 }, "cty.NumberIntVal(3)"],
    [list(bool), { notNull: true, lengthMin: 2, lengthMax: 2 }, "cty.ListVal([]cty.Value{(cty.Bool), cty.UnknownVal(cty.Bool)})"],
    [set(bool), { notNull: true, lengthMin: 1, lengthMax: 1 }, "cty.SetVal([]cty.Value{(cty.Bool)})"],
    [map(bool), { notNull: true, lengthMax: 0 }, "cty.MapValEmpty(cty.Bool)"],
    [
      map(bool),
      { notNull: true, lengthMin: 1, lengthMax: 1 },
      "(cty.Map(cty.Bool)).Refine().NotNull().CollectionLengthLowerBound(1).CollectionLengthUpperBound(1).NewValue()",
    ],
  ])("%o %o", ([type, refinements, want], { expect }) => {
    expect(refined(type, refinements)).toBe(want);
  });

  test("keeps the tighter of two bounds, and the longer prefix", ({ expect }) => {
    const once = unknown(number, { min: 3 });
    expect(range(refine(once, { min: 1 })).min).toEqual({ value: 3, inclusive: true });
    expect(range(refine(once, { min: { value: 3, inclusive: false } })).min).toEqual({ value: 3, inclusive: false });
    expect(range(refine(unknown(string, { prefixFull: "ab" }), { prefixFull: "a" })).prefix).toBe("ab");
  });

  test("applies several refinements of one kind in one step", ({ expect }) => {
    const bounds = range(refine(unknown(number), { min: 1 }, { min: { value: 3, inclusive: false } }, { max: 9 }, { max: 7 }));
    expect([bounds.min, bounds.max]).toEqual([
      { value: 3, inclusive: false },
      { value: 7, inclusive: true },
    ]);
    expect(range(refine(unknown(string), { prefixFull: "a" }, { prefixFull: "abc" })).prefix).toBe("abc");
    expect(() => refine(unknown(string), { prefixFull: "ab" }, { prefixFull: "x" })).toThrow("inconsistent with previous refined prefix");
    expect(() => refine(unknown(string), { null: true }, { notNull: true })).toThrow("refining null value as non-null");
    // In two steps, the value would be known after the first one, and the message would name that value.
    const oneValue = { notNull: true, min: 2, max: 2 };
    expect(() => refine(unknown(number), oneValue, { min: 3 })).toThrow(
      "number lower bound cty.NumberIntVal(3) is greater than upper bound cty.NumberIntVal(2)",
    );
    expect(() => refine(refine(unknown(number), oneValue), { min: 3 })).toThrow(
      "refining cty.NumberIntVal(2) to be >= cty.NumberIntVal(3)",
    );
  });

  test("differs from an unrefined value, even if it adds no knowledge", ({ expect }) => {
    expect(same(refine(unknown(number), { min: -Infinity }), unknown(number))).toBe(false);
  });

  test.for<[Value, Refinements, string]>([
    [nullOf(string), { notNull: true }, "refining null value as non-null"],
    [of(string, "a"), { null: true }, "refining non-null value as null"],
    [of(number, 1), { min: 2 }, "refining cty.NumberIntVal(1) to be >= cty.NumberIntVal(2)"],
    [of(number, 2), { max: { value: 2, inclusive: false } }, "refining cty.NumberIntVal(2) to be < cty.NumberIntVal(2)"],
    [unknown(number, { min: 3 }), { max: 2 }, "number lower bound cty.NumberIntVal(3) is greater than upper bound cty.NumberIntVal(2)"],
    [of(list(string), ["a"]), { lengthMin: 2 }, "refining collection of length cty.NumberIntVal(1) with lower bound 2"],
    [unknown(list(string), { lengthMin: 3 }), { lengthMax: 2 }, "collection length upper bound 2 is less than lower bound 3"],
    [of(string, "abc"), { prefixFull: "x" }, "refined prefix is inconsistent with known value"],
    [unknown(string, { prefixFull: "ab" }), { prefixFull: "x" }, "refined prefix is inconsistent with previous refined prefix"],
    [of(bool, true), { min: 1 }, "cannot refine numeric bounds for a cty.Bool value"],
    [of(bool, true), { prefix: "a" }, "cannot refine string prefix for a cty.Bool value"],
    [of(bool, true), { lengthMin: 1 }, "cannot refine collection length bounds for a cty.Bool value"],
  ])("rejects for %o the refinement %o", ([value, refinements, message], { expect }) => {
    expect(() => refine(value, refinements)).toThrow(expect.objectContaining({ code: "MISUSE", message }));
  });

  test("keeps marks", ({ expect }) => {
    expect(goString(refine(mark(unknown(string), "m"), { notNull: true }))).toBe('cty.UnknownVal(cty.String).RefineNotNull().Mark("m")');
  });
});

describe("the range of a value", () => {
  test("of a known value is that value", ({ expect }) => {
    expect(range(of(string, "ab"))).toEqual({ type: string, notNull: true, prefix: "ab" });
    expect(range(of(list(bool), [true]))).toEqual({ type: list(bool), notNull: true, lengthMin: 1, lengthMax: 1 });
    expect(range(nullOf(bool))).toEqual({ type: bool, null: true });
    expect(() => range(mark(of(bool, true), "m"))).toThrow(expect.objectContaining({ code: "MARKED" }));
  });
  test.for<[Value, Value, boolean | undefined]>([
    [unknown(string), nullOf(string), true],
    [unknown(string, { notNull: true }), nullOf(string), false],
    [nullOf(string), of(string, "a"), false],
    [unknown(string, { prefixFull: "a" }), of(string, "ab"), undefined],
    [unknown(string, { prefixFull: "a" }), of(string, "b"), false],
    [unknown(number, { min: 1 }), of(number, 0), false],
    [unknown(list(string), { lengthMax: 1 }), of(list(string), ["a", "b"]), false],
    [unknown(string), of(number, 1), false],
    [unknown(dynamic), of(number, 1), undefined],
  ])("%o includes %o: %s", ([unknownValue, value, want], { expect }) => {
    expect(rangeIncludes(range(unknownValue), value)).toBe(want);
  });
});

test("toJs rejects unknown parts, with their path", ({ expect }) => {
  expect(() => toJs(of(list(string), ["a", unknown(string)]))).toThrow(
    expect.objectContaining({ code: "UNKNOWN", path: [expect.objectContaining({ kind: "index" })] }),
  );
});
