// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import {
  attributeStep,
  bool,
  containsMarked,
  formatPath,
  goString,
  indexStep,
  list,
  map,
  mark,
  marks,
  number,
  object,
  of,
  pathEquals,
  same,
  set,
  string,
  unknown,
  unmark,
  unmarkDeep,
  type Path,
} from "../index.ts";
import { applyPath, deepValues, markWithPaths, PathSet, transform, unknownAsNull, unmarkDeepWithPaths, walk } from "../paths/index.ts";

const type = object({ name: string, tags: map(string), ports: list(number), zones: set(string) });
const value = of(type, { name: mark(of(string, "x"), "secret"), tags: { a: "1" }, ports: [1, mark(of(number, 2), "m")], zones: ["z"] });

describe("marks", () => {
  test("are added once and removed again", ({ expect }) => {
    const twice = mark(mark(of(string, "a"), "m"), "m", "n");
    expect([...marks(twice)]).toEqual(["m", "n"]);
    expect(goString(unmark(twice)[0])).toBe('cty.StringVal("a")');
  });
  test("inside a value are found, removed and restored by path", ({ expect }) => {
    expect(containsMarked(value)).toBe(true);
    const [plain, found] = unmarkDeep(value);
    expect([...found]).toEqual(["secret", "m"]);
    expect(containsMarked(plain)).toBe(false);
    const [, places] = unmarkDeepWithPaths(value);
    expect(places.map((place) => formatPath(place.path))).toEqual([".name", ".ports[1]"]);
    expect(same(markWithPaths(plain, places), value)).toBe(true);
  });
  test("are removed without a copy if there are none", ({ expect }) => {
    const plain = of(list(string), ["a"]);
    expect(unmarkDeep(plain)[0]).toBe(plain);
  });
});

describe("walks", () => {
  test("visit containers first, attributes and keys in order", ({ expect }) => {
    const seen: string[] = [];
    walk(value, (path) => {
      seen.push(formatPath(path));
      return formatPath(path) !== ".tags";
    });
    expect(seen).toEqual(["", ".name", ".ports", ".ports[0]", ".ports[1]", ".tags", ".zones", '.zones["z"]']);
    expect([...deepValues(of(list(bool), [true]))].length).toBe(2);
  });
  test("transform from the inside out and share unchanged parts", ({ expect }) => {
    const plain = unmarkDeep(value)[0];
    const changed = transform(plain, (_, part) => (part.type === number ? of(number, 7) : part));
    expect(goString(applyPath([attributeStep("ports")], changed))).toBe(
      "cty.ListVal([]cty.Value{cty.NumberIntVal(7), cty.NumberIntVal(7)})",
    );
    expect(transform(plain, (_, part) => part)).toBe(plain);
    expect(goString(transform(of(list(number), [1]), (_, part) => (part.type === number ? of(string, "s") : part)))).toBe(
      'cty.ListVal([]cty.Value{cty.StringVal("s")})',
    );
  });
  test("turn unknown into null", ({ expect }) => {
    expect(goString(unknownAsNull(of(list(string), ["a", unknown(string, { notNull: true })])))).toBe(
      'cty.ListVal([]cty.Value{cty.StringVal("a"), cty.NullVal(cty.String)})',
    );
  });
});

describe("paths", () => {
  const path: Path = [attributeStep("ports"), indexStep(1)];
  test("lead to a value, or to an error with the step that failed", ({ expect }) => {
    expect(goString(applyPath(path, value))).toBe('cty.NumberIntVal(2).Mark("m")');
    expect(() => applyPath([attributeStep("ports"), indexStep(5)], value)).toThrow("at step 1: value does not have given index key");
    expect(() => applyPath([attributeStep("nope")], value)).toThrow('at step 0: object has no attribute "nope"');
    expect(goString(applyPath([attributeStep("zones"), indexStep("z")], value))).toBe('cty.StringVal("z")');
  });
  test("are formatted as readable text", ({ expect }) => {
    expect(formatPath([attributeStep("a"), indexStep("k"), indexStep(unknown(string))])).toBe('.a["k"][...]');
    expect(formatPath([attributeStep("not an identifier")])).toBe('["not an identifier"]');
  });
  test("are compared step by step", ({ expect }) => {
    expect(pathEquals(path, [attributeStep("ports"), indexStep(1)])).toBe(true);
    expect(pathEquals(path, [attributeStep("ports"), indexStep("1")])).toBe(false);
  });
  test("are ordered in sets as in go-cty", ({ expect }) => {
    const paths = new PathSet([[attributeStep("b")], [attributeStep("a"), indexStep(0)], [attributeStep("b")]]);
    expect(paths.size).toBe(2);
    expect(paths.has([attributeStep("a"), indexStep(0)])).toBe(true);
    expect(paths.addAllSteps(path).has([attributeStep("ports")])).toBe(true);
    expect(paths.delete([attributeStep("b")])).toBe(true);
    expect([...paths.intersection(new PathSet([path]))]).toEqual([path]);
  });
});
