// SPDX-License-Identifier: Apache-2.0
import { list, of, string, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Attribute, Block, NestedBlockMode } from "../model/schema.ts";
import { assertPlanValid } from "./plan-valid.ts";
import { formatRuleViolation } from "./rule-violation.ts";

function violations(block: Block, values: { readonly prior?: unknown; readonly config: unknown; readonly planned: unknown }): string[] {
  const value = (data: unknown): Value => of<Type>(impliedType(block), data ?? null);
  return assertPlanValid(block, value(values.prior), value(values.config), value(values.planned)).map(formatRuleViolation);
}

const required = createAttribute({ type: string, required: true });
const optional = createAttribute({ type: string, optional: true });
const computed = createAttribute({ type: string, computed: true });
const optionalComputed = createAttribute({ type: string, optional: true, computed: true });

describe("root object", () => {
  const block = createBlock({ attributes: { a: optional } });
  test.for([
    ["must not be null when it is configured", { config: { a: "x" }, planned: null }, ["planned for absence but config wants existence"]],
    ["must be null when it is not configured", { config: null, planned: { a: "x" } }, ["planned for existence but config wants absence"]],
    ["may be null in a destroy plan", { prior: { a: "x" }, config: null, planned: null }, []],
  ] as const)("%s", ([, values, expected], { expect }) => {
    expect(violations(block, values)).toEqual(expected);
  });
});

describe("attributes", () => {
  const sensitive = (attribute: Attribute): Attribute => createAttribute({ ...attribute, sensitive: true });
  const cases: readonly (readonly [string, Attribute, { prior?: unknown; config: unknown; planned: unknown }, readonly string[]])[] = [
    ["may have the configured value", optional, { config: "a", planned: "a" }, []],
    ["may keep the prior value of a configured attribute", optional, { prior: "A", config: "a", planned: "A" }, []],
    [
      "must not keep the prior value when no longer configured",
      optional,
      { prior: "A", config: null, planned: "A" },
      ['.v: planned value cty.StringVal("A") for a non-computed attribute'],
    ],
    [
      "must not differ from the configured value",
      optional,
      { config: "a", planned: "b" },
      ['.v: planned value cty.StringVal("b") does not match config value cty.StringVal("a")'],
    ],
    [
      "must equal the configured or the prior value",
      optional,
      { prior: "p", config: "a", planned: "b" },
      ['.v: planned value cty.StringVal("b") does not match config value cty.StringVal("a") nor prior value cty.StringVal("p")'],
    ],
    [
      "must not be unknown when configured",
      required,
      { config: "a", planned: unknown(string) },
      ['.v: planned value cty.UnknownVal(cty.String) does not match config value cty.StringVal("a")'],
    ],
    ["may refine an unknown configured value", required, { config: unknown(string), planned: unknown(string, { notNull: true }) }, []],
    ["may have any value when computed", computed, { prior: "p", config: null, planned: "b" }, []],
    [
      "may have any value when optional, computed and not configured",
      optionalComputed,
      { prior: "p", config: null, planned: unknown(string) },
      [],
    ],
    [
      "must not differ from the configured value when optional and computed",
      optionalComputed,
      { config: "a", planned: "b" },
      ['.v: planned value cty.StringVal("b") does not match config value cty.StringVal("a")'],
    ],
    [
      "hide a sensitive value that is not configured",
      sensitive(optional),
      { config: null, planned: "b" },
      [".v: sensitive planned value for a non-computed attribute"],
    ],
    [
      "hide a sensitive value that differs from the configured one",
      sensitive(optional),
      { config: "a", planned: "b" },
      [".v: sensitive planned value does not match config value"],
    ],
    [
      "hide a sensitive value that differs from the configured and the prior one",
      sensitive(optional),
      { prior: "p", config: "a", planned: "b" },
      [".v: sensitive planned value does not match config value nor prior value"],
    ],
    ["may be null when write-only", createAttribute({ type: string, optional: true, writeOnly: true }), { config: "a", planned: null }, []],
  ];

  test.for(cases)("%s", ([, attribute, values, expected], { expect }) => {
    const around = (v: unknown): unknown => ({ v });
    const prior = "prior" in values ? { prior: around(values.prior) } : {};
    expect(
      violations(createBlock({ attributes: { v: attribute } }), {
        ...prior,
        config: around(values.config),
        planned: around(values.planned),
      }),
    ).toEqual(expected);
  });
});

describe("nested blocks", () => {
  const blockWith = (nesting: NestedBlockMode): Block =>
    createBlock({ blocks: { b: createNestedBlock(nesting, { attributes: { v: optional, made: computed } }) } });
  const element = (v: string | null, made: unknown = null): unknown => ({ v, made });
  const unknownBlock = "must not be unknown itself; set nested attribute values to unknown instead";

  test.for([
    ["list", { config: [element("a")], planned: [element("a", unknown(string))] }, []],
    [
      "list",
      { config: [element("a")], planned: [element("a"), element("b")] },
      [".b: block count in plan (2) disagrees with count in config (1)"],
    ],
    [
      "list",
      { config: [element("a")], planned: [element("b")] },
      ['.b[0].v: planned value cty.StringVal("b") does not match config value cty.StringVal("a")'],
    ],
    [
      "list",
      { config: [element("a")], planned: null },
      [".b: attribute representing a list of nested blocks must be empty to indicate no blocks, not null"],
    ],
    ["list", { config: [element("a")], planned: "unknown" }, [`.b: attribute representing nested block ${unknownBlock}`]],
    ["list", { config: [element("a")], planned: ["unknown"] }, [`.b[0]: element representing nested block ${unknownBlock}`]],
    [
      "map",
      { config: { x: element("a") }, planned: null },
      [".b: attribute representing a map of nested blocks must be empty to indicate no blocks, not null"],
    ],
    ["map", { config: { x: element("a") }, planned: {} }, [".b: block count in plan (0) disagrees with count in config (1)"]],
    [
      "map",
      { config: { x: element("a") }, planned: { y: element("a") } },
      ['.b: block key "y" from plan is not present in config', '.b: block key "x" from config is not present in plan'],
    ],
    [
      "map",
      { config: { x: element("a") }, planned: { x: element("b") } },
      ['.b["x"].v: planned value cty.StringVal("b") does not match config value cty.StringVal("a")'],
    ],
    ["set", { config: [element("a")], planned: [element("b")] }, []],
    [
      "set",
      { config: [element("a")], planned: null },
      [".b: attribute representing a set of nested blocks must be empty to indicate no blocks, not null"],
    ],
    ["single", { config: element("a"), planned: null }, [".b: planned for absence but config wants existence"]],
    [
      "group",
      { config: element("a"), planned: element("b") },
      ['.b.v: planned value cty.StringVal("b") does not match config value cty.StringVal("a")'],
    ],
  ] as const)("%s %j", ([nesting, values, expected], { expect }) => {
    const block = blockWith(nesting);
    const type = impliedType(block).attributes["b"]!;
    const elementType = impliedType(block.blocks["b"]!.block);
    const around = (data: unknown): unknown => {
      if (data === "unknown") return { b: unknown(type) };
      return { b: Array.isArray(data) ? data.map((item) => (item === "unknown" ? unknown(elementType as Type) : item)) : data };
    };
    expect(violations(block, { config: around(values.config), planned: around(values.planned) })).toEqual(expected);
  });

  test("must not replace an unknown number of blocks", ({ expect }) => {
    const block = blockWith("list");
    const type = impliedType(block).attributes["b"]!;
    const found = violations(block, { config: { b: unknown(type) }, planned: { b: [] } });
    expect(found).toEqual([expect.stringMatching(/^\.b: planned value cty\.ListValEmpty\(.*\) for unknown dynamic block$/)]);
    expect(violations(block, { config: { b: unknown(type) }, planned: { b: unknown(type) } })).toEqual([]);
  });
});

describe("nested attributes", () => {
  const blockWith = (nesting: "list" | "set" | "map" | "single"): Block =>
    createBlock({
      attributes: { n: createAttribute({ nested: createNestedAttributes(nesting, { v: optional, made: computed }), optional: true }) },
    });
  const element = (v: string | null, made: unknown = null): unknown => ({ v, made });

  test.for([
    ["single", { config: element("a"), planned: element("a", "m") }, []],
    [
      "single",
      { config: element("a"), planned: element("b") },
      ['.n.v: planned value cty.StringVal("b") does not match config value cty.StringVal("a")'],
    ],
    ["single", { config: element("a"), planned: null }, [".n: planned for absence but config wants existence"]],
    ["list", { config: [element("a")], planned: [element("a", "m")] }, []],
    [
      "list",
      { config: [element("a")], planned: [] },
      [".n: count in plan (cty.NumberIntVal(0)) disagrees with count in config (cty.NumberIntVal(1))"],
    ],
    [
      "map",
      { config: { x: element("a") }, planned: { x: element("b") } },
      ['.n.x.v: planned value cty.StringVal("b") does not match config value cty.StringVal("a")'],
    ],
    [
      "map",
      { config: { x: element("a") }, planned: { y: element("a") } },
      ['.n: map key "y" from plan is not present in config', '.n: map key "x" from config is not present in plan'],
    ],
    ["set", { config: [element("a")], planned: [element("b")] }, []],
    [
      "set",
      { config: [element("a")], planned: [element("b"), element("c")] },
      [".n: count in plan (cty.NumberIntVal(2)) disagrees with count in config (cty.NumberIntVal(1))"],
    ],
    ["set", { config: [element("a"), element("b")], planned: [element("a", unknown(string)), element("b", unknown(string))] }, []],
  ] as const)("%s %j", ([nesting, values, expected], { expect }) => {
    expect(violations(blockWith(nesting), { config: { n: values.config }, planned: { n: values.planned } })).toEqual(expected);
  });

  test("must not be unknown as a whole when configured", ({ expect }) => {
    const block = blockWith("list");
    const type = impliedType(block).attributes["n"]!;
    expect(violations(block, { config: { n: [element("a")] }, planned: { n: unknown(type) } })).toEqual([
      ".n: planned unknown for configured value",
    ]);
  });
});

test("reports a list of a primitive type as one value", ({ expect }) => {
  const block = createBlock({ attributes: { l: createAttribute({ type: list(string), optional: true }) } });
  expect(violations(block, { config: { l: ["a"] }, planned: { l: ["a", "b"] } })).toEqual([
    '.l: planned value cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")}) does not match config value cty.ListVal([]cty.Value{cty.StringVal("a")})',
  ]);
});
