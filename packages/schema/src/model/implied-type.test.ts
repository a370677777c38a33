// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, map, number, object, optional, set, string, toJs, type Type } from "@tenon/cty";
import { describe, test } from "vitest";
import { attributeAt } from "./attribute-at.ts";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "./create-schema.ts";
import { emptyValue, unknownValue } from "./empty-value.ts";
import { configType, impliedType } from "./implied-type.ts";
import type { NestedBlockMode } from "./schema.ts";

const plain = createAttribute({ type: string, optional: true });
const anything = createAttribute({ type: dynamic, optional: true });

describe("impliedType", () => {
  test.for([
    ["single", object({ v: string })],
    ["group", object({ v: string })],
    ["list", list(object({ v: string }))],
    ["set", set(object({ v: string }))],
    ["map", map(object({ v: string }))],
  ] as const)("of a %s block", ([nesting, type], { expect }) => {
    expect(impliedType(createBlock({ blocks: { b: createNestedBlock(nesting, { attributes: { v: plain } }) } }))).toBe(object({ b: type }));
  });

  test.for([
    ["single", object({ v: dynamic })],
    ["list", dynamic],
    ["map", dynamic],
    ["set", set(object({ v: dynamic }))],
  ] as const satisfies readonly (readonly [NestedBlockMode, Type])[])(
    "of a %s block with a dynamic attribute",
    ([nesting, type], { expect }) => {
      expect(impliedType(createBlock({ blocks: { b: createNestedBlock(nesting, { attributes: { v: anything } }) } }))).toBe(
        object({ b: type }),
      );
    },
  );

  test("of nested attributes, which may be dynamic anywhere", ({ expect }) => {
    const nested = createAttribute({ nested: createNestedAttributes("list", { v: anything }), optional: true });
    expect(impliedType(createBlock({ attributes: { n: nested } }))).toBe(object({ n: list(object({ v: dynamic })) }));
  });

  test("is computed once a block", ({ expect }) => {
    const block = createBlock({ attributes: { v: plain } });
    expect(impliedType(block)).toBe(impliedType(block));
  });
});

test("configType: what need not be written in a nested attribute is optional", ({ expect }) => {
  const nested = createNestedAttributes("single", {
    a: createAttribute({ type: string, required: true }),
    b: plain,
    c: createAttribute({ type: number, computed: true }),
  });
  expect(configType(createBlock({ attributes: { n: createAttribute({ nested, optional: true }), o: plain } }))).toBe(
    object({ n: object({ a: string, b: optional(string), c: optional(number) }), o: string }),
  );
});

describe("emptyValue", () => {
  const inside = { attributes: { v: plain } };
  const block = createBlock({
    attributes: { a: plain, n: createAttribute({ nested: createNestedAttributes("list", { v: plain }), optional: true }) },
    blocks: {
      group: createNestedBlock("group", inside),
      list: createNestedBlock("list", inside),
      map: createNestedBlock("map", inside),
      set: createNestedBlock("set", inside),
      single: createNestedBlock("single", inside),
    },
  });

  test("attributes are null, blocks are empty", ({ expect }) => {
    expect(emptyValue(block).type).toBe(impliedType(block));
    expect(toJs(emptyValue(block))).toEqual({ a: null, n: null, group: { v: null }, list: [], map: {}, set: [], single: null });
  });

  test("with a dynamic attribute inside, lists are tuples and maps are objects", ({ expect }) => {
    const value = emptyValue(
      createBlock({
        blocks: {
          l: createNestedBlock("list", { attributes: { v: anything } }),
          m: createNestedBlock("map", { attributes: { v: anything } }),
        },
      }),
    );
    expect(toJs(value)).toEqual({ l: [], m: {} });
    expect(value.type.kind === "object" && [value.type.attributes["l"]?.kind, value.type.attributes["m"]?.kind]).toEqual([
      "tuple",
      "object",
    ]);
  });

  test("unknownValue is of the same type", ({ expect }) => {
    expect(unknownValue(block).type).toBe(impliedType(block));
  });
});

describe("attributeAt", () => {
  const leaf = createAttribute({ type: list(string), optional: true });
  const nested = createAttribute({ nested: createNestedAttributes("list", { leaf }), optional: true });
  const block = createBlock({ attributes: { leaf, nested }, blocks: { b: createNestedBlock("set", { attributes: { nested } }) } });
  const index = { kind: "index", key: { type: number, payload: 0 } } as const;
  const at = (...steps: readonly (string | number)[]) =>
    attributeAt(
      block,
      steps.map((step) => (typeof step === "string" ? { kind: "attribute", name: step } : index)),
    );

  test.for([
    [["leaf"], leaf],
    [["nested"], nested],
    [["nested", 0, "leaf"], leaf],
    [["b", 0, "nested", 0, "leaf"], leaf],
    [["b", "nested"], nested],
    [["leaf", 0], undefined],
    [["nested", 0], undefined],
    [["b"], undefined],
    [["b", 0], undefined],
    [["toString"], undefined],
    [[], undefined],
  ] as const)("%j", ([path, attribute], { expect }) => {
    expect(at(...path)).toBe(attribute);
  });
});
