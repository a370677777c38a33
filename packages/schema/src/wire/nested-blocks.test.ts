// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, map, nullOf, object, of, set, string, tuple, unknown, type Type, type Value } from "@tenon/cty";
import { decode, encode } from "@tenon/cty/msgpack";
import { expect, test } from "vitest";
import { valueEquality } from "../../test/wire/value-equality.ts";
import { createAttribute, createBlock, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { nestedBlocksFill } from "./nested-blocks.ts";

expect.addEqualityTesters([valueEquality as never]);

const leaf = { attributes: { name: createAttribute({ type: string }) } };
const inner = object({ name: string });
const block = createBlock({
  attributes: { id: createAttribute({ type: list(string) }) },
  blocks: {
    group: createNestedBlock("group", leaf),
    list: createNestedBlock("list", { ...leaf, blocks: { set: createNestedBlock("set", leaf) } }),
    map: createNestedBlock("map", leaf),
    set: createNestedBlock("set", leaf),
    single: createNestedBlock("single", leaf),
  },
});
const type: Type = impliedType(block);

function filled(data: object): Value {
  return nestedBlocksFill(block)!(of(type, data));
}

test("replaces null list, set and map blocks by empty ones, and keeps other null values", () => {
  expect(filled({ id: null, group: null, list: null, map: null, set: null, single: null })).toEqual(
    of(type, { id: null, group: null, list: [], map: {}, set: [], single: null }),
  );
});

test("replaces null blocks inside other blocks", () => {
  const one = { name: "a" };
  expect(filled({ id: [], group: one, list: [{ name: "b", set: null }], map: { c: one }, set: [one], single: one })).toEqual(
    of(type, { id: [], group: one, list: [{ name: "b", set: [] }], map: { c: one }, set: [one], single: one }),
  );
});

test("returns a value without null blocks unchanged, also if parts of it are unknown", () => {
  const value = of(type, {
    id: null,
    group: { name: "a" },
    list: [{ name: "b", set: unknown(set(inner)) }],
    map: unknown(map(inner)),
    set: [],
    single: null,
  });
  expect(nestedBlocksFill(block)!(value)).toBe(value);
  for (const whole of [nullOf(type), unknown(type)]) expect(nestedBlocksFill(block)!(whole)).toBe(whole);
});

test("returns undefined for a block without list, set and map blocks", () => {
  expect(
    nestedBlocksFill(
      createBlock({ ...leaf, blocks: { single: createNestedBlock("single", leaf), group: createNestedBlock("group", leaf) } }),
    ),
  ).toBeUndefined();
});

test("merges set elements that become equal", () => {
  const nested = createBlock({ blocks: { outer: createNestedBlock("set", { blocks: { inner: createNestedBlock("list", leaf) } }) } });
  const nestedType: Type = impliedType(nested);
  expect(nestedBlocksFill(nested)!(of(nestedType, { outer: [{ inner: null }, { inner: [] }] }))).toEqual(
    of(nestedType, { outer: [{ inner: [] }] }),
  );
});

test("fills blocks with dynamic attributes with an empty tuple or object", () => {
  const any = { attributes: { any: createAttribute({ type: dynamic }) } };
  const open = createBlock({ blocks: { list: createNestedBlock("list", any), map: createNestedBlock("map", any) } });
  const value = nestedBlocksFill(open)!(nullBlocks());
  expect(value.type).toBe(object({ list: tuple(), map: object({}) }));
  expect(decode(encode(value, impliedType(open)), impliedType(open))).toEqual(value);

  function nullBlocks(): Value {
    return of(impliedType(open) as Type, { list: null, map: null });
  }
});
