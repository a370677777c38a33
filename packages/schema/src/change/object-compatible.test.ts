// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, mark, number, object, of, set, string, tuple, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Block, NestedBlockMode } from "../model/schema.ts";
import { assertObjectCompatible } from "./object-compatible.ts";
import { formatRuleViolation } from "./rule-violation.ts";

function violations(block: Block, planned: unknown, actual: unknown): string[] {
  const value = (data: unknown): Value => of<Type>(impliedType(block), data);
  return assertObjectCompatible(block, value(planned), value(actual)).map(formatRuleViolation);
}

describe("root object", () => {
  const block = createBlock({ attributes: { v: createAttribute({ type: string, optional: true }) } });
  test("must be null in both values or in neither", ({ expect }) => {
    expect(violations(block, null, { v: "a" })).toEqual(["root object was absent, but now present"]);
    expect(violations(block, { v: "a" }, null)).toEqual(["root object was present, but now absent"]);
    expect(violations(block, null, null)).toEqual([]);
  });
});

describe("attributes", () => {
  const words = list(string);
  const cases: readonly (readonly [string, Type, unknown, unknown, readonly string[]])[] = [
    ["accept an unchanged string", string, "a", "a", []],
    ["report a changed string", string, "a", "b", ['.v: was cty.StringVal("a"), but now cty.StringVal("b")']],
    ["report a changed number", number, 1, 2, [".v: was cty.NumberIntVal(1), but now cty.NumberIntVal(2)"]],
    ["report a changed bool", bool, true, false, [".v: was cty.True, but now cty.False"]],
    ["report a value that became null", string, "a", null, ['.v: was cty.StringVal("a"), but now null']],
    ["report a value in place of null", string, null, "a", ['.v: was null, but now cty.StringVal("a")']],
    ["report a value that became unknown", string, "a", unknown(string), [".v: was known, but now unknown"]],
    ["accept a known value in place of an unknown one", string, unknown(string), "a", []],
    ["accept null in place of an unknown value", string, unknown(string), null, []],
    [
      "report null in place of an unknown value that is refined as not null",
      string,
      unknown(string, { notNull: true }),
      null,
      [".v: final value cty.NullVal(cty.String) does not conform to planning placeholder cty.UnknownVal(cty.String).RefineNotNull()"],
    ],
    ["accept a string with the refined prefix", string, unknown(string, { prefix: "ab-" }), "ab-c", []],
    [
      "report a string without the refined prefix",
      string,
      unknown(string, { prefix: "ab-" }),
      "x",
      [
        '.v: final value cty.StringVal("x") does not conform to planning placeholder cty.UnknownVal(cty.String).Refine().StringPrefixFull("ab-").NewValue()',
      ],
    ],
    ["report a removed list element", words, ["a", "b"], ["a"], [".v: element 1 has vanished"]],
    ["report an added list element", words, ["a"], ["a", "b"], [".v: new element 1 has appeared"]],
    ["report a changed list element", words, ["a", "b"], ["a", "c"], ['.v[1]: was cty.StringVal("b"), but now cty.StringVal("c")']],
    ["accept a known list element in place of an unknown one", words, ["a", unknown(string)], ["a", "c"], []],
    [
      "report a removed and an added map key",
      map(string),
      { a: "x" },
      { b: "x" },
      ['.v: element "a" has vanished', '.v: new element "b" has appeared'],
    ],
    [
      "report a changed attribute of an object",
      object({ a: string, b: string }),
      { a: "x", b: unknown(string) },
      { a: "y", b: "z" },
      ['.v.a: was cty.StringVal("x"), but now cty.StringVal("y")'],
    ],
    [
      "report a changed tuple element",
      tuple(string, number),
      ["x", 1],
      ["x", 2],
      [".v[1]: was cty.NumberIntVal(1), but now cty.NumberIntVal(2)"],
    ],
    ["accept a set that shrinks because elements turn out equal", set(string), ["a", unknown(string)], ["a"], []],
    ["accept a set whose unknown element became known", set(string), ["a", unknown(string)], ["a", "b"], []],
    ["report a set that grows", set(string), [unknown(string)], ["a", "b"], [".v: length changed from 1 to 2"]],
    [
      "report a replaced set element",
      set(string),
      ["a", "b"],
      ["a", "c"],
      ['.v: planned set element cty.StringVal("b") does not correlate with any element in actual'],
    ],
    [
      "report an added set element",
      set(string),
      ["a"],
      ["a", "c"],
      ['.v: actual set element cty.StringVal("c") does not correlate with any element in plan', ".v: length changed from 1 to 2"],
    ],
  ];

  test.for(cases)("%s", ([, type, planned, actual, expected], { expect }) => {
    const block = createBlock({ attributes: { v: createAttribute({ type, optional: true, computed: true }) } });
    expect(violations(block, { v: planned }, { v: actual })).toEqual(expected);
  });

  test("accept any type for an unknown dynamic attribute, but no change of a known type", ({ expect }) => {
    const block = createBlock({ attributes: { v: createAttribute({ type: dynamic, optional: true }) } });
    const value = (type: Type, data: unknown): Value => of<Type>(object({ v: type }) as Type, { v: data });
    expect(assertObjectCompatible(block, value(dynamic, unknown(dynamic)), value(number, 1))).toEqual([]);
    expect(assertObjectCompatible(block, value(string, "1"), value(number, 1)).map(formatRuleViolation)).toEqual([
      ".v: wrong final value type: string required, but have number",
    ]);
  });

  test("hide values that are sensitive by schema or by mark", ({ expect }) => {
    const hidden = [".v: inconsistent values for sensitive attribute"];
    expect(
      violations(createBlock({ attributes: { v: createAttribute({ type: string, sensitive: true }) } }), { v: "a" }, { v: "b" }),
    ).toEqual(hidden);
    expect(
      violations(
        createBlock({ attributes: { v: createAttribute({ type: string }) } }),
        { v: mark(of(string, "a"), "sensitive") },
        { v: "b" },
      ),
    ).toEqual(hidden);
  });

  test("hide the elements of a set of blocks, in which all are sensitive if one is", ({ expect }) => {
    const nested = createNestedBlock("set", { attributes: { v: createAttribute({ type: string }) } });
    const block = createBlock({ blocks: { list: createNestedBlock("list", { blocks: { set: nested } }) } });
    const elements = (...texts: readonly unknown[]): unknown => ({ list: [{ set: texts.map((v) => ({ v })) }] });
    const secret = mark(of(string, "s"), "sensitive");
    expect(violations(block, elements("a", secret), elements("b", secret))).toEqual([
      ".list[0].set: inconsistent values for sensitive attribute",
    ]);
    expect(violations(block, elements(secret), elements(secret, "b"))).toEqual([
      ".list[0].set: inconsistent values for sensitive attribute",
      ".list[0].set: block set length changed from 1 to 2",
    ]);
    expect(violations(block, elements("a"), elements("b"))).toEqual([expect.stringContaining("planned set element")]);
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
    expect(violations(blockWith(nesting), { b: planned }, { b: actual })).toEqual(expected);
  });

  test("accept any number of blocks in place of an unknown number", ({ expect }) => {
    for (const nesting of ["list", "set", "map", "single"] as const) {
      const block = blockWith(nesting);
      const type = impliedType(block).attributes["b"]!;
      const two = nesting === "map" ? { x: { v: "a" } } : nesting === "single" ? null : [{ v: "a" }, { v: "b" }];
      expect(violations(block, { b: unknown(type) }, { b: two }), nesting).toEqual([]);
    }
  });

  test("compare blocks with dynamic attributes key by key", ({ expect }) => {
    const block = createBlock({
      blocks: { b: createNestedBlock("map", { attributes: { v: createAttribute({ type: dynamic, optional: true }) } }) },
    });
    expect(violations(block, { b: { x: { v: "a" } } }, { b: { y: { v: "a" } } })).toEqual([
      '.b: block key "x" has vanished',
      '.b: new block key "y" has appeared',
    ]);
  });
});
