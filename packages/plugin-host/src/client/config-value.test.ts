// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, map, number, object, of, string, toJs } from "@tenon/cty";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { configValue } from "./config-value.ts";
import { stateData } from "./state-data.ts";
import { unknownValue } from "./unknown.ts";

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

function data(config: unknown): unknown {
  return stateData(configValue(block, config, "thing"), block);
}

describe("configValue", () => {
  const nothing = { size: null, tags: null, origin: null, any: null, items: null, names: null };
  const noBlocks = { group: { size: null }, one: null, rule: [], access: [], named: {}, mixed: [] };

  test("fills in what is left out", ({ expect }) => {
    expect(data({})).toEqual({ ...nothing, ...noBlocks });
    expect(data({ size: undefined, rule: undefined, one: null })).toEqual({ ...nothing, ...noBlocks });
    const element = { key: "k", stamp: null };
    const said = {
      items: [{ key: "k" }, null],
      names: { a: { key: "k" } },
      one: { key: "k" },
      rule: [{ key: "k" }],
      access: new Set([{ key: "k" }]),
    };
    expect(data({ ...said, named: new Map([["a", { key: "k" }]]), mixed: [{ any: 1 }, { any: "x" }, {}] })).toEqual({
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

  test("takes values, converted as in a configuration, and what is not known", ({ expect }) => {
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
      "thing at sise: there is no such attribute or block; there are access, any, group, items, mixed, named, names, one, origin, rule, size, tags",
    ],
    [{ size: "1" }, "thing at size: a number is required, not a string"],
    [{ size: of(string, "x") }, "thing at size: a number is required"],
    [{ tags: { a: ["x", 1] } }, 'thing at tags["a"][1]: a string is required, not a number'],
    [{ origin: {} }, 'thing at origin: missing required attribute "host": give it a value, or null'],
    [{ origin: { host: "h", port: 1 } }, 'thing at origin: unsupported attribute "port"'],
    [{ items: [{}] }, "thing at items[0].key: is required"],
    [{ items: { key: "k" } }, "thing at items: must be an array, with one element for each"],
    [{ items: [{ key: "k", stamp: "s" }] }, "thing at items[0].stamp: is the provider's to decide, and cannot be configured: leave it out"],
    [{ names: { a: { key: 1 } } }, 'thing at names["a"].key: a string is required, not a number'],
    [{ rule: [{ key: "1" }, { key: "2" }, { key: "3" }] }, "thing at rule: is a block that may be there at most 2 times, not 3 times"],
    [{ rule: [null] }, "thing at rule[0]: must be an object"],
    [{ one: [] }, "thing at one: must be an object"],
    [{ any: Symbol("else") }, "thing at any: data a value can be made of is required, not a symbol"],
  ])("refuses %j", ([config, message], { expect }) => {
    expect(() => configValue(block, config, "thing")).toThrow(expect.objectContaining({ code: "INVALID_CONFIG", message }));
  });

  test("counts the blocks that must be there", ({ expect }) => {
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
    expect(message({ one: { key: "k" } })).toBe("thing at rule: is a block that is needed at least once, not 0 times");
    expect(message({ rule: [{ key: "k" }] })).toBe("thing at one: is a block that is required");
    expect(message({ one: { key: "k" }, rule: [{ key: "k" }] })).toBe("");
  });
});
