// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, mark, number, object, of, set, string, tuple, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Block, NestedBlockMode } from "../model/schema.ts";
import { assertObjectCompatible } from "./object-compatible.ts";
import { formatProblem } from "./problem.ts";

function problems(block: Block, planned: unknown, actual: unknown): string[] {
  const value = (data: unknown): Value => of<Type>(impliedType(block), data);
  return assertObjectCompatible(block, value(planned), value(actual)).map(formatProblem);
}

describe("the object", () => {
  const block = createBlock({ attributes: { v: createAttribute({ type: string, optional: true }) } });
  test("must not appear or vanish", ({ expect }) => {
    expect(problems(block, null, { v: "a" })).toEqual(["root object was absent, but now present"]);
    expect(problems(block, { v: "a" }, null)).toEqual(["root object was present, but now absent"]);
    expect(problems(block, null, null)).toEqual([]);
  });
});

describe("attributes", () => {
  const words = list(string);
  const cases: readonly (readonly [string, Type, unknown, unknown, readonly string[]])[] = [
    ["the same", string, "a", "a", []],
    ["another", string, "a", "b", ['.v: was cty.StringVal("a"), but now cty.StringVal("b")']],
    ["another number", number, 1, 2, [".v: was cty.NumberIntVal(1), but now cty.NumberIntVal(2)"]],
    ["another bool", bool, true, false, [".v: was cty.True, but now cty.False"]],
    ["null now", string, "a", null, ['.v: was cty.StringVal("a"), but now null']],
    ["null before", string, null, "a", ['.v: was null, but now cty.StringVal("a")']],
    ["unknown now", string, "a", unknown(string), [".v: was known, but now unknown"]],
    ["learned", string, unknown(string), "a", []],
    ["learned to be null", string, unknown(string), null, []],
    [
      "null against the promise",
      string,
      unknown(string, { notNull: true }),
      null,
      [".v: final value cty.NullVal(cty.String) does not conform to planning placeholder cty.UnknownVal(cty.String).RefineNotNull()"],
    ],
    ["within the promised prefix", string, unknown(string, { prefix: "ab-" }), "ab-c", []],
    [
      "not within the promised prefix",
      string,
      unknown(string, { prefix: "ab-" }),
      "x",
      [
        '.v: final value cty.StringVal("x") does not conform to planning placeholder cty.UnknownVal(cty.String).Refine().StringPrefixFull("ab-").NewValue()',
      ],
    ],
    ["an element lost", words, ["a", "b"], ["a"], [".v: element 1 has vanished"]],
    ["an element more", words, ["a"], ["a", "b"], [".v: new element 1 has appeared"]],
    ["an element changed", words, ["a", "b"], ["a", "c"], ['.v[1]: was cty.StringVal("b"), but now cty.StringVal("c")']],
    ["an element learned", words, ["a", unknown(string)], ["a", "c"], []],
    ["a key lost and one more", map(string), { a: "x" }, { b: "x" }, ['.v: element "a" has vanished', '.v: new element "b" has appeared']],
    [
      "an attribute inside",
      object({ a: string, b: string }),
      { a: "x", b: unknown(string) },
      { a: "y", b: "z" },
      ['.v.a: was cty.StringVal("x"), but now cty.StringVal("y")'],
    ],
    ["in a tuple", tuple(string, number), ["x", 1], ["x", 2], [".v[1]: was cty.NumberIntVal(1), but now cty.NumberIntVal(2)"]],
    ["a set that shrinks as elements prove equal", set(string), ["a", unknown(string)], ["a"], []],
    ["a set with an element learned", set(string), ["a", unknown(string)], ["a", "b"], []],
    ["a set that grows", set(string), [unknown(string)], ["a", "b"], [".v: length changed from 1 to 2"]],
    [
      "a set with another element",
      set(string),
      ["a", "b"],
      ["a", "c"],
      ['.v: planned set element cty.StringVal("b") does not correlate with any element in actual'],
    ],
    [
      "a set with an element more",
      set(string),
      ["a"],
      ["a", "c"],
      ['.v: actual set element cty.StringVal("c") does not correlate with any element in plan', ".v: length changed from 1 to 2"],
    ],
  ];

  test.for(cases)("%s", ([, type, planned, actual, expected], { expect }) => {
    const block = createBlock({ attributes: { v: createAttribute({ type, optional: true, computed: true }) } });
    expect(problems(block, { v: planned }, { v: actual })).toEqual(expected);
  });

  test("a dynamic attribute may become of any type, but not change it", ({ expect }) => {
    const block = createBlock({ attributes: { v: createAttribute({ type: dynamic, optional: true }) } });
    const value = (type: Type, data: unknown): Value => of<Type>(object({ v: type }) as Type, { v: data });
    expect(assertObjectCompatible(block, value(dynamic, unknown(dynamic)), value(number, 1))).toEqual([]);
    expect(assertObjectCompatible(block, value(string, "1"), value(number, 1)).map(formatProblem)).toEqual([
      ".v: wrong final value type: string required, but have number",
    ]);
  });

  test("what is sensitive by schema or by mark is not shown", ({ expect }) => {
    const hidden = [".v: inconsistent values for sensitive attribute"];
    expect(
      problems(createBlock({ attributes: { v: createAttribute({ type: string, sensitive: true }) } }), { v: "a" }, { v: "b" }),
    ).toEqual(hidden);
    expect(
      problems(
        createBlock({ attributes: { v: createAttribute({ type: string }) } }),
        { v: mark(of(string, "a"), "sensitive") },
        { v: "b" },
      ),
    ).toEqual(hidden);
  });
});

describe("nested blocks", () => {
  const blockWith = (nesting: NestedBlockMode): Block =>
    createBlock({
      blocks: { b: createNestedBlock(nesting, { attributes: { v: createAttribute({ type: string, optional: true, computed: true }) } }) },
    });
  const unknownString = unknown(string);

  test.for([
    ["single", { v: "a" }, { v: "b" }, ['.b.v: was cty.StringVal("a"), but now cty.StringVal("b")']],
    ["single", { v: "a" }, null, [".b: was present, but now absent"]],
    ["group", { v: unknownString }, { v: "b" }, []],
    ["list", [{ v: "a" }], [{ v: "a" }, { v: "b" }], [".b: block count changed from 1 to 2"]],
    ["list", [{ v: "a" }], [{ v: "b" }], ['.b[0].v: was cty.StringVal("a"), but now cty.StringVal("b")']],
    ["map", { x: { v: "a" } }, { x: { v: "b" } }, ['.b["x"].v: was cty.StringVal("a"), but now cty.StringVal("b")']],
    ["map", { x: { v: "a" } }, {}, [".b: block count changed from 1 to 0"]],
    ["set", [{ v: unknownString }], [{ v: "b" }], []],
    ["set", [{ v: unknownString }], [{ v: "a" }, { v: "b" }], [".b: block set length changed from 1 to 2"]],
    [
      "set",
      [{ v: "a" }],
      [{ v: "b" }],
      ['.b: planned set element cty.ObjectVal(map[string]cty.Value{"v":cty.StringVal("a")}) does not correlate with any element in actual'],
    ],
  ] as const)("%s %j %j", ([nesting, planned, actual, expected], { expect }) => {
    expect(problems(blockWith(nesting), { b: planned }, { b: actual })).toEqual(expected);
  });

  test("an unknown number of blocks may become any number", ({ expect }) => {
    for (const nesting of ["list", "set", "map", "single"] as const) {
      const block = blockWith(nesting);
      const type = impliedType(block).attributes["b"]!;
      const two = nesting === "map" ? { x: { v: "a" } } : nesting === "single" ? null : [{ v: "a" }, { v: "b" }];
      expect(problems(block, { b: unknown(type) }, { b: two }), nesting).toEqual([]);
    }
  });

  test("blocks with dynamic attributes are compared key by key", ({ expect }) => {
    const block = createBlock({
      blocks: { b: createNestedBlock("map", { attributes: { v: createAttribute({ type: dynamic, optional: true }) } }) },
    });
    expect(problems(block, { b: { x: { v: "a" } } }, { b: { y: { v: "a" } } })).toEqual([
      '.b: block key "x" has vanished',
      '.b: new block key "y" has appeared',
    ]);
  });
});
