// SPDX-License-Identifier: Apache-2.0
import { attributeStep, dynamic, equals, list, map, number, object, of, string, toJs, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/msgpack";
import { applyPath } from "@tenon/cty/paths";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { configValue } from "./config-value.ts";
import { stateData } from "./state-data.ts";
import { unknownValue } from "@tenon/schema";

const key = createAttribute({ type: string, required: true });
const inner = { attributes: { key, stamp: createAttribute({ type: string, computed: true }) } };
const block = createBlock({
  attributes: {
    size: createAttribute({ type: number, optional: true }),
    tags: createAttribute({ type: map(list(string)), optional: true }),
    origin: createAttribute({ type: object({ host: string }), optional: true }),
    any: createAttribute({ type: dynamic, optional: true }),
    items: createAttribute({ optional: true, nested: createNestedAttributes("list", inner.attributes) }),
    names: createAttribute({ optional: true, nested: createNestedAttributes("map", inner.attributes) }),
  },
  blocks: {
    group: createNestedBlock("group", { attributes: { size: createAttribute({ type: number, optional: true }) } }),
    one: createNestedBlock("single", inner),
    rule: createNestedBlock("list", inner, { maxItems: 2 }),
    access: createNestedBlock("set", inner),
    named: createNestedBlock("map", inner),
    mixed: createNestedBlock("list", { attributes: { any: createAttribute({ type: dynamic, optional: true }) } }),
  },
});

function parseNumber(text: string): Value {
  return convert(of(string, text), number);
}

function valueAt(value: Value, name: string): Value {
  return applyPath([attributeStep(name)], value);
}

function encoded(value: Value): string {
  return Buffer.from(encode(value, value.type)).toString("hex");
}

function data(config: unknown): unknown {
  return stateData(configValue(block, config, "thing"), block);
}

describe("configValue", () => {
  const nothing = { size: null, tags: null, origin: null, any: null, items: null, names: null };
  const noBlocks = { group: { size: null }, one: null, rule: [], access: [], named: {}, mixed: [] };

  test("fills in nulls and empty blocks", ({ expect }) => {
    expect(data({})).toEqual({ ...nothing, ...noBlocks });
    expect(data({ size: undefined, rule: undefined, one: null })).toEqual({ ...nothing, ...noBlocks });
    const element = { key: "k", stamp: null };
    const blocks = {
      items: [{ key: "k" }, null],
      names: { a: { key: "k" } },
      one: { key: "k" },
      rule: [{ key: "k" }],
      access: new Set([{ key: "k" }]),
    };
    expect(data({ ...blocks, named: new Map([["a", { key: "k" }]]), mixed: [{ any: 1 }, { any: "x" }, {}] })).toEqual({
      ...nothing,
      ...noBlocks,
      items: [element, null],
      names: { a: element },
      one: element,
      rule: [element],
      access: [element],
      named: { a: element },
      mixed: [{ any: 1 }, { any: "x" }, { any: null }],
    });
  });

  test("converts cty values as in HCL, and accepts unknown values", ({ expect }) => {
    expect(data({ size: of(string, "5"), tags: { a: [of(number, 1)] }, any: of(list(string), ["x"]) })).toMatchObject({
      size: 5,
      tags: { a: ["1"] },
      any: ["x"],
    });
    expect(data({ size: unknownValue, tags: { a: unknownValue }, items: [unknownValue], rule: unknownValue })).toMatchObject({
      size: unknownValue,
      tags: { a: unknownValue },
      items: [unknownValue],
      rule: unknownValue,
    });
    const whole = configValue(block, { size: 7 }, "thing");
    expect(toJs(configValue(block, whole, "thing"))).toMatchObject({ size: 7 });
  });

  test.for<[unknown, string]>([
    [[], "thing: must be an object"],
    [
      { sise: 1 },
      "thing at sise: is not an attribute or block; valid names are access, any, group, items, mixed, named, names, one, origin, rule, size, tags",
    ],
    [{ size: "1" }, "thing at size: a number is required, not a string"],
    [{ size: of(string, "x") }, "thing at size: a number is required"],
    [{ tags: { a: ["x", 1] } }, 'thing at tags["a"][1]: a string is required, not a number'],
    [{ origin: {} }, 'thing at origin: missing required attribute "host": give it a value, or null'],
    [{ items: [{}] }, "thing at items[0].key: is required"],
    [{ items: { key: "k" } }, "thing at items: must be an array"],
    [{ items: [{ key: "k", stamp: "s" }] }, "thing at items[0].stamp: is set by the provider, and cannot be configured: leave it out"],
    [{ names: { a: { key: 1 } } }, 'thing at names["a"].key: a string is required, not a number'],
    [{ rule: [{ key: "1" }, { key: "2" }, { key: "3" }] }, "thing at rule: is a block that is allowed at most 2 times, not 3 times"],
    [{ rule: [null] }, "thing at rule[0]: must be an object"],
    [{ one: [] }, "thing at one: must be an object"],
    [{ any: Symbol("else") }, "thing at any: a value is required, not a symbol"],
  ])("rejects %j", ([config, message], { expect }) => {
    expect(() => configValue(block, config, "thing")).toThrow(expect.objectContaining({ code: "INVALID_CONFIG", message }));
  });

  test("drops extra attributes of nested objects, as the CLIs do", ({ expect }) => {
    const config = { origin: { host: "h", port: 1 }, items: [{ key: "k", extra: true }], names: new Map([["a", { key: "k", extra: 1 }]]) };
    expect(data(config)).toMatchObject({
      origin: { host: "h" },
      items: [{ key: "k", stamp: null }],
      names: { a: { key: "k", stamp: null } },
    });
    expect(
      data({
        origin: new Map([
          ["host", "h"],
          ["port", "1"],
        ]),
      }),
    ).toMatchObject({ origin: { host: "h" } });
  });

  test.for([0.1, 1e23, 5e-324, Number.MAX_VALUE, 2 ** 70])("sends the number %d as the literal in a configuration", (size, { expect }) => {
    const literal = parseNumber(String(size));
    const fromNumber = configValue(block, { size, any: size }, "thing");
    expect(encoded(valueAt(fromNumber, "size"))).toBe(encoded(literal));
    expect(encoded(valueAt(fromNumber, "any"))).toBe(encoded(literal));
  });

  test.for(["0.1", "1e23", "1180591620717411303424", "1.7976931348623157e+308"])(
    "accepts the number %s of a state in a configuration",
    (text, { expect }) => {
      const literal = parseNumber(text);
      const state = stateData(configValue(block, { size: literal }, "thing"), block) as { readonly size: number | bigint };
      expect(toJs(equals(valueAt(configValue(block, { size: state.size }, "thing"), "size"), literal))).toBe(true);
    },
  );

  test("rejects a configuration without its required blocks", ({ expect }) => {
    const needed = createBlock({
      blocks: { rule: createNestedBlock("list", inner, { minItems: 1 }), one: createNestedBlock("single", inner, { minItems: 1 }) },
    });
    const message = (config: unknown): string => {
      try {
        configValue(needed, config, "thing");
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    };
    expect(message({ one: { key: "k" } })).toBe("thing at rule: is a block that is required at least once, not 0 times");
    expect(message({ rule: [{ key: "k" }] })).toBe("thing at one: is a required block");
    expect(message({ one: { key: "k" }, rule: [{ key: "k" }] })).toBe("");
  });
});
