// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, map, number, object, optional, set, string, toJs, type Type } from "@tenon/cty";
import { describe, test } from "vitest";
import { attributeAt } from "./attribute-at.ts";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "./create-schema.ts";
import { emptyValue, unknownBlockValue } from "./empty-value.ts";
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
  ] as const)("has the type of a %s block", ([nesting, type], { expect }) => {
    expect(impliedType(createBlock({ blocks: { b: createNestedBlock(nesting, { attributes: { v: plain } }) } }))).toBe(object({ b: type }));
  });

  test.for([
    ["single", object({ v: dynamic })],
    ["list", dynamic],
    ["map", dynamic],
    ["set", set(object({ v: dynamic }))],
  ] as const satisfies readonly (readonly [NestedBlockMode, Type])[])(
    "has the type of a %s block with a dynamic attribute",
    ([nesting, type], { expect }) => {
      expect(impliedType(createBlock({ blocks: { b: createNestedBlock(nesting, { attributes: { v: anything } }) } }))).toBe(
        object({ b: type }),
      );
    },
  );

  test("keeps a list of objects for nested attributes with a dynamic attribute", ({ expect }) => {
    const nested = createAttribute({ nested: createNestedAttributes("list", { v: anything }), optional: true });
    expect(impliedType(createBlock({ attributes: { n: nested } }))).toBe(object({ n: list(object({ v: dynamic })) }));
  });

  test("has no optional attributes, at any depth, where the type of an attribute has them", ({ expect }) => {
    const type = list(object({ a: string, b: optional(object({ c: optional(number) })) }));
    const plain = list(object({ a: string, b: object({ c: number }) }));
    const attribute = createAttribute({ type, optional: true });
    const block = createBlock({
      attributes: { v: attribute, n: createAttribute({ nested: createNestedAttributes("map", { v: attribute }), optional: true }) },
      blocks: { b: createNestedBlock("list", { attributes: { v: attribute } }) },
    });
    expect(impliedType(block)).toBe(object({ v: plain, n: map(object({ v: plain })), b: list(object({ v: plain })) }));
    expect(emptyValue(block).type).toBe(impliedType(block));
    expect(configType(block)).toBe(object({ v: type, n: map(object({ v: optional(type) })), b: list(object({ v: type })) }));
  });

  test("is computed once for each block", ({ expect }) => {
    const block = createBlock({ attributes: { v: plain } });
    expect(impliedType(block)).toBe(impliedType(block));
  });
});

test("configType makes the attributes of a nested attribute that are not required optional", ({ expect }) => {
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

  test("has null attributes and empty blocks", ({ expect }) => {
    expect(emptyValue(block).type).toBe(impliedType(block));
    expect(toJs(emptyValue(block))).toEqual({ a: null, n: null, group: { v: null }, list: [], map: {}, set: [], single: null });
  });

  test("has a tuple for a list block, and an object for a map block, with a dynamic attribute", ({ expect }) => {
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

  test.for([
    ["list", list(object({ v: dynamic }))],
    ["map", map(object({ v: dynamic }))],
    ["set", set(object({ v: dynamic }))],
    ["single", object({ v: dynamic })],
    ["group", object({ v: dynamic })],
  ] as const)("unknownBlockValue has an unknown collection for a %s block with a dynamic attribute", ([nesting, type], { expect }) => {
    const dynamicBlock = createBlock({ blocks: { b: createNestedBlock(nesting, { attributes: { v: anything } }) } });
    expect(unknownBlockValue(dynamicBlock).type).toBe(object({ b: type }));
  });

  test("unknownBlockValue has the implied type", ({ expect }) => {
    expect(unknownBlockValue(block).type).toBe(impliedType(block));
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
  ] as const)("returns the attribute at %j", ([path, attribute], { expect }) => {
    expect(at(...path)).toBe(attribute);
  });
});
