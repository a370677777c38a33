// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import {
  formatPath,
  goString,
  hasMarkDeep,
  hasSameMarks,
  dynamic,
  list,
  map,
  mark,
  nullOf,
  number,
  object,
  of,
  set,
  string,
  tuple,
  unknown,
} from "../index.ts";
import { canIterateElements, hasWhollyKnownType, lengthInt } from "../operators/index.ts";
import { wrangleMarks, type MarkWrangler } from "./index.ts";

const type = object({ a: list(string), b: map(string), c: number });
const inner = (text: string, ...marks: string[]) => mark(of(string, text), ...marks);
const value = mark(of(type, { a: [inner("x", "secret"), "y"], b: { k: inner("z", "secret", "other") }, c: 1 }), "top");

describe("wrangleMarks", () => {
  test.for<[name: string, wranglers: MarkWrangler[], result: string]>([
    ["keeps a mark if no wrangler returns an action", [() => undefined], goString(value)],
    ["applies the first action that a wrangler returns", [() => "keep", () => "drop"], goString(value)],
    [
      "drops, replaces and expands marks",
      [
        (each, path) => (each === "secret" ? (path.length === 2 && formatPath(path) === ".a[0]" ? "drop" : "expand") : undefined),
        (each) => (each === "other" ? { replace: "another" } : undefined),
      ],
      'cty.ObjectVal(map[string]cty.Value{"a":cty.ListVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")}), ' +
        '"b":cty.MapVal(map[string]cty.Value{"k":cty.StringVal("z").WithMarks(cty.NewValueMarks("another", "secret"))}), ' +
        '"c":cty.NumberIntVal(1)}).WithMarks(cty.NewValueMarks("secret", "top"))',
    ],
    [
      "drops all marks",
      [() => "drop"],
      'cty.ObjectVal(map[string]cty.Value{"a":cty.ListVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")}), ' +
        '"b":cty.MapVal(map[string]cty.Value{"k":cty.StringVal("z")}), "c":cty.NumberIntVal(1)})',
    ],
  ])("%s", ([, wranglers, result], { expect }) => {
    expect(goString(wrangleMarks(value, ...wranglers))).toBe(result);
  });

  test("returns the same value if nothing changes", ({ expect }) => {
    expect(wrangleMarks(value, () => "keep")).toBe(value);
    const plain = of(type, { a: [], b: {}, c: null });
    expect(wrangleMarks(plain, () => "drop")).toBe(plain);
  });
});

test("hasMarkDeep searches at any depth, hasSameMarks compares the outermost marks", ({ expect }) => {
  expect([hasMarkDeep(value, "other"), hasMarkDeep(value, "top"), hasMarkDeep(value, "none")]).toEqual([true, true, false]);
  expect(hasSameMarks(value, mark(of(number, 1), "top"))).toBe(true);
  expect(hasSameMarks(value, of(number, 1))).toBe(false);
  expect(hasSameMarks(mark(value, "x"), value)).toBe(false);
});

test("lengthInt and canIterateElements accept only values with elements", ({ expect }) => {
  const open = of(set(string), ["a", unknown(string)]);
  expect([lengthInt(open), lengthInt(unknown(tuple(string))), lengthInt(of(map(string), { a: "b" }))]).toEqual([2, 1, 1]);
  expect(canIterateElements(open)).toBe(true);
  expect(canIterateElements(mark(open, "x"))).toBe(false);
  expect(canIterateElements(of(string, "a"))).toBe(false);
  expect(() => lengthInt(unknown(list(string)))).toThrow("value is not known");
  expect(() => lengthInt(nullOf(list(string)))).toThrow("value is null");
  expect(() => lengthInt(mark(open, "x"))).toThrow("value is marked");
  expect(() => lengthInt(of(string, "a"))).toThrow("value is not a collection");
});

test("hasWhollyKnownType finds unknown types inside a value", ({ expect }) => {
  expect(hasWhollyKnownType(unknown(string))).toBe(true);
  expect(hasWhollyKnownType(unknown(dynamic))).toBe(false);
  expect(hasWhollyKnownType(nullOf(dynamic))).toBe(true);
  expect(hasWhollyKnownType(unknown(list(dynamic)))).toBe(false);
  expect(hasWhollyKnownType(of(tuple(dynamic), [unknown(dynamic)]))).toBe(false);
});
