// SPDX-License-Identifier: Apache-2.0
import { dynamic, equals, get, of, string, toJs, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Attribute, Block } from "../model/schema.ts";
import { plannedUnknownObject, proposedNew } from "./proposed-new.ts";

const required = createAttribute({ type: string, required: true });
const optional = createAttribute({ type: string, optional: true });
const computed = createAttribute({ type: string, computed: true });
const optionalComputed = createAttribute({ type: string, optional: true, computed: true });

function valueOfBlock(block: Block, data: unknown): Value {
  return of<Type>(impliedType(block), data);
}

/** Returns the proposed new state as plain data. */
function proposed(block: Block, prior: unknown, config: unknown): unknown {
  return toJs(proposedNew(block, valueOfBlock(block, prior), valueOfBlock(block, config)));
}

describe("attributes", () => {
  const block = createBlock({ attributes: { id: computed, name: required, note: optional, size: optionalComputed } });

  test.for([
    [
      "take the configured values where no object exists",
      null,
      { id: null, name: "a", note: null, size: null },
      { id: null, name: "a", note: null, size: null },
    ],
    [
      "keep computed values that are not configured",
      { id: "1", name: "a", note: "n", size: "s" },
      { id: null, name: "b", note: null, size: null },
      { id: "1", name: "b", note: null, size: "s" },
    ],
    [
      "prefer configured values to prior ones",
      { id: "1", name: "a", note: "n", size: "s" },
      { id: null, name: "a", note: "m", size: "t" },
      { id: "1", name: "a", note: "m", size: "t" },
    ],
    ["are null where neither an object nor a configuration exists", null, null, null],
  ] as const)("%s", ([, prior, config, expected], { expect }) => {
    expect(proposed(block, prior, config)).toEqual(expected);
  });

  test("keep an unknown configured value", ({ expect }) => {
    const result = proposedNew(
      block,
      valueOfBlock(block, { id: "1", name: "a", note: null, size: "s" }),
      valueOfBlock(block, { id: null, name: unknown(string), note: null, size: null }),
    );
    expect(toJs(get(result, "id"))).toBe("1");
    expect(equals(get(result, "name"), of(string, "a")).payload).not.toBe(true);
  });

  test("keep the type of the prior value of a dynamic attribute", ({ expect }) => {
    const dynamicBlock = createBlock({
      attributes: { any: createAttribute({ type: dynamic, optional: true, computed: true }), name: required },
    });
    const type = (any: Type): Type =>
      valueOfBlock(createBlock({ attributes: { any: createAttribute({ type: any, optional: true }), name: required } }), null).type;
    const prior = of<Type>(type(string), { any: "x", name: "a" });
    const config = of<Type>(impliedType(dynamicBlock), { any: null, name: "b" });
    expect(toJs(proposedNew(dynamicBlock, prior, config))).toEqual({ any: "x", name: "b" });
  });
});

describe.for(["nested attributes", "nested blocks"] as const)("%s", (kind) => {
  const inside: Record<string, Attribute> = { key: optional, made: computed };
  const blockWith = (nesting: "list" | "set" | "map" | "single"): Block =>
    kind === "nested blocks"
      ? createBlock({ blocks: { items: createNestedBlock(nesting, { attributes: inside }) } })
      : createBlock({ attributes: { items: createAttribute({ nested: createNestedAttributes(nesting, inside), optional: true }) } });

  test("correlate lists by position, and keep elements without a prior element unchanged", ({ expect }) => {
    const prior = {
      items: [
        { key: "a", made: "1" },
        { key: "b", made: "2" },
      ],
    };
    const config = {
      items: [
        { key: "z", made: null },
        { key: "b", made: null },
        { key: "c", made: null },
      ],
    };
    expect(proposed(blockWith("list"), prior, config)).toEqual({
      items: [
        { key: "z", made: "1" },
        { key: "b", made: "2" },
        { key: "c", made: null },
      ],
    });
  });

  test("correlate maps by key", ({ expect }) => {
    const prior = { items: { x: { key: "a", made: "1" }, y: { key: "b", made: "2" } } };
    const config = { items: { y: { key: "c", made: null }, z: { key: "a", made: null } } };
    expect(proposed(blockWith("map"), prior, config)).toEqual({ items: { y: { key: "c", made: "2" }, z: { key: "a", made: null } } });
  });

  test("correlate sets by their configured attributes, each prior element once", ({ expect }) => {
    const prior = {
      items: [
        { key: "a", made: "1" },
        { key: "a", made: "2" },
        { key: "b", made: "3" },
      ],
    };
    const config = {
      items: [
        { key: "a", made: null },
        { key: "c", made: null },
      ],
    };
    expect(proposed(blockWith("set"), prior, config)).toEqual({
      items: [
        { key: "a", made: "1" },
        { key: "c", made: null },
      ],
    });
  });

  test("keep an unknown single value unknown", ({ expect }) => {
    const nested = blockWith("single");
    const prior = of<Type>(impliedType(nested), { items: { key: "a", made: "1" } });
    const config = of<Type>(impliedType(nested), { items: unknown(get(prior, "items").type) });
    expect(proposedNew(nested, prior, config)).toEqual(config);
  });

  test("merge a single value, which is null when its configuration is null", ({ expect }) => {
    const prior = { items: { key: "a", made: "1" } };
    expect(proposed(blockWith("single"), prior, { items: { key: "b", made: null } })).toEqual({ items: { key: "b", made: "1" } });
    expect(proposed(blockWith("single"), prior, { items: null })).toEqual({ items: null });
  });
});

describe("optional and computed nested attributes", () => {
  const block = createBlock({
    attributes: {
      box: createAttribute({ nested: createNestedAttributes("single", { set: optional, made: computed }), optional: true, computed: true }),
    },
  });

  test("keep computed values", ({ expect }) => {
    expect(proposed(block, { box: { set: null, made: "1" } }, { box: null })).toEqual({ box: { set: null, made: "1" } });
  });

  test("drop the prior value when it must have been configured and no longer is", ({ expect }) => {
    expect(proposed(block, { box: { set: "a", made: "1" } }, { box: null })).toEqual({ box: null });
  });
});

describe("sets of sets", () => {
  const inner = createNestedBlock("set", { attributes: { v: required } });
  const block = createBlock({ blocks: { outer: createNestedBlock("set", { attributes: { made: computed }, blocks: { inner } }) } });

  test("correlate an element only if the sets in it are equal", ({ expect }) => {
    const prior = {
      outer: [
        { made: "1", inner: [{ v: "a" }] },
        { made: "2", inner: [{ v: "b" }] },
      ],
    };
    const config = {
      outer: [
        { made: null, inner: [{ v: "b" }] },
        { made: null, inner: [{ v: "a" }, { v: "c" }] },
      ],
    };
    const expected = {
      outer: [
        { made: "2", inner: [{ v: "b" }] },
        { made: null, inner: [{ v: "a" }, { v: "c" }] },
      ],
    };
    expect(proposed(block, prior, config)).toEqual(toJs(valueOfBlock(block, expected)));
  });
});

describe("blocks with dynamic attributes", () => {
  const anything = createAttribute({ type: dynamic, optional: true });
  const listBlock = createBlock({ blocks: { items: createNestedBlock("list", { attributes: { any: anything, made: computed } }) } });

  test("stay tuples", ({ expect }) => {
    const prior = of<Type>(dynamic, { items: [{ any: "x", made: "1" }] });
    const config = of<Type>(dynamic, {
      items: [
        { any: 2, made: null },
        { any: true, made: null },
      ],
    });
    const result = proposedNew(listBlock, prior, config);
    expect(get(result, "items").type.kind).toBe("tuple");
    expect(toJs(result)).toEqual({
      items: [
        { any: 2, made: "1" },
        { any: true, made: null },
      ],
    });
  });
});

describe("plannedUnknownObject", () => {
  test("makes computed attributes unknown that are not configured", ({ expect }) => {
    const block = createBlock({
      attributes: { id: computed, name: required, size: optionalComputed },
      blocks: { item: createNestedBlock("list", { attributes: { key: required, made: computed } }) },
    });
    const config = valueOfBlock(block, { id: null, name: "a", size: "s", item: [{ key: "k", made: null }] });
    const expected = valueOfBlock(block, { id: unknown(string), name: "a", size: "s", item: [{ key: "k", made: unknown(string) }] });
    expect(plannedUnknownObject(block, config)).toEqual(expected);
  });
});
