// SPDX-License-Identifier: Apache-2.0
import { dynamic, string } from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock, createSchema } from "./create-schema.ts";
import { internalValidate } from "./internal-validate.ts";
import type { Attribute, Block, NestedBlock } from "./schema.ts";

function messages(block: Partial<Block>): string[] {
  return internalValidate(createSchema(block)).map((problem) => `${problem.path.join(".")}: ${problem.message}`);
}

const good = createAttribute({ type: string, optional: true });

test("accepts a valid schema", ({ expect }) => {
  expect(
    messages({
      attributes: { a: good, n: createAttribute({ nested: createNestedAttributes("set", { v: good }), computed: true }) },
      blocks: { b: createNestedBlock("set", { attributes: { a: good } }, { minItems: 1 }) },
    }),
  ).toEqual([]);
});

describe("attributes", () => {
  test.for<readonly [Partial<Attribute>, string]>([
    [{ type: string }, "must set optional, required or computed"],
    [{ type: string, optional: true, required: true }, "cannot set both optional and required"],
    [{ type: string, computed: true, required: true }, "cannot set both computed and required"],
    [{ type: string, computed: true, optional: true, writeOnly: true }, "cannot set both writeOnly and computed"],
    [{ optional: true }, "either type or nested must be defined"],
    [{ optional: true, type: string, nested: createNestedAttributes("single", {}) }, "type and nested cannot both be set"],
    [
      { optional: true, nested: createNestedAttributes("set", { v: createAttribute({ type: dynamic, optional: true }) }) },
      "a set may not contain attributes of dynamic type",
    ],
    [{ optional: true, nested: createNestedAttributes("group" as never, {}) }, "invalid nesting group"],
  ])("rejects %j", ([attribute, message], { expect }) => {
    expect(messages({ attributes: { a: createAttribute(attribute) } })).toEqual([`a: ${message}`]);
  });

  test("checks attributes inside nested attributes", ({ expect }) => {
    const nested = createNestedAttributes("list", { v: createAttribute({ type: string }) });
    expect(messages({ attributes: { a: createAttribute({ optional: true, nested }) } })).toEqual([
      "a.v: must set optional, required or computed",
    ]);
  });

  test("rejects a write-only attribute inside a set, and one that contains an ordinary attribute", ({ expect }) => {
    const writeOnly = createAttribute({ type: string, optional: true, writeOnly: true });
    expect(
      messages({ attributes: { a: createAttribute({ optional: true, nested: createNestedAttributes("set", { v: writeOnly }) }) } }),
    ).toEqual(["a.v: cannot be writeOnly inside a set"]);
    const container = createAttribute({ optional: true, writeOnly: true, nested: createNestedAttributes("single", { v: good }) });
    expect(messages({ attributes: { a: container } })).toEqual([
      "a.v: must be writeOnly, because the attribute that contains it is writeOnly",
    ]);
  });

  test("rejects an invalid name", ({ expect }) => {
    expect(messages({ attributes: { aB: good } })).toEqual(["aB: name may contain only lowercase letters, digits and underscores"]);
  });
});

describe("nested blocks", () => {
  test.for<readonly [NestedBlock["nesting"], number, number, string | undefined]>([
    ["single", 0, 0, undefined],
    ["single", 1, 1, undefined],
    ["single", 0, 1, "minItems and maxItems must match for nesting single"],
    ["single", 2, 2, "minItems and maxItems must be 0 or 1 for nesting single"],
    ["group", 1, 1, "minItems and maxItems must be 0 for nesting group"],
    ["map", 0, 1, "minItems and maxItems must be 0 for nesting map"],
    ["list", 2, 1, "minItems must not be more than maxItems for nesting list"],
    ["list", 2, 0, undefined],
    ["set", 1, 2, undefined],
    ["list", -1, 0, "minItems and maxItems must not be negative"],
    ["other" as never, 0, 0, "invalid nesting other"],
  ])("checks the limits of %s: %d to %d", ([nesting, minItems, maxItems, message], { expect }) => {
    expect(messages({ blocks: { b: createNestedBlock(nesting, {}, { minItems, maxItems }) } })).toEqual(message ? [`b: ${message}`] : []);
  });

  test("rejects a block with the name of an attribute", ({ expect }) => {
    expect(messages({ attributes: { x: good }, blocks: { x: createNestedBlock("list", {}) } })).toEqual([
      "x: name defined as both attribute and child block type",
    ]);
  });

  test("rejects a dynamic attribute in a set block, and accepts it in a list block", ({ expect }) => {
    const anything = createAttribute({ type: dynamic, optional: true });
    expect(messages({ blocks: { b: createNestedBlock("set", { attributes: { a: anything } }) } })).toEqual([
      "b: a set may not contain attributes of dynamic type",
    ]);
    expect(messages({ blocks: { b: createNestedBlock("list", { attributes: { a: anything } }) } })).toEqual([]);
  });
});

test("reports every violation with its path", ({ expect }) => {
  const bad = createBlock({ attributes: { x: createAttribute({}) } });
  expect(
    internalValidate({ version: -1, block: createBlock({ blocks: { b: { nesting: "list", block: bad, minItems: 0, maxItems: 0 } } }) }),
  ).toEqual([
    { path: [], message: "version must be a whole number of at least 0", tolerated: false },
    { path: ["b", "x"], message: "must set optional, required or computed", tolerated: false },
    { path: ["b", "x"], message: "either type or nested must be defined", tolerated: false },
  ]);
});

test("marks the violations that the cores tolerate", ({ expect }) => {
  const writeOnly = createAttribute({ type: string, computed: true, writeOnly: true });
  const problems = internalValidate(createSchema({ attributes: { aB: good, w: writeOnly } }));
  expect(problems.map((problem) => problem.tolerated)).toEqual([true, true]);
});
