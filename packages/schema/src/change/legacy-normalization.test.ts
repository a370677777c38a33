// SPDX-License-Identifier: Apache-2.0
import { of, string, unknown, type Type, type Value } from "@tenon/cty";
import { test } from "vitest";
import { createAttribute, createBlock, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { normalizeObjectFromLegacySdk } from "./legacy-normalization.ts";

const inside = { attributes: { v: createAttribute({ type: string, optional: true }) } };
const block = createBlock({
  attributes: { a: createAttribute({ type: string, optional: true }) },
  blocks: {
    l: createNestedBlock("list", inside),
    s: createNestedBlock("set", inside),
    g: createNestedBlock("group", inside),
    one: createNestedBlock("single", inside),
  },
});
const type = impliedType(block);
const value = (data: unknown): Value => of<Type>(type, data);
const some = { a: "x", l: [{ v: "1" }], s: [{ v: "2" }], g: { v: "3" }, one: { v: "4" } };

test("replaces null blocks by empty ones", ({ expect }) => {
  expect(normalizeObjectFromLegacySdk(block, value({ a: null, l: null, s: null, g: null, one: null }))).toEqual(
    value({ a: null, l: [], s: [], g: { v: null }, one: null }),
  );
});

test("replaces an unknown block by one block of unknown values", ({ expect }) => {
  const stub = { v: unknown(string) };
  const unknownBlocks = {
    l: unknown(type.attributes["l"]!),
    s: unknown(type.attributes["s"]!),
    g: unknown(type.attributes["g"]!),
    one: unknown(type.attributes["one"]!),
  };
  expect(normalizeObjectFromLegacySdk(block, value({ a: null, ...unknownBlocks }))).toEqual(
    value({ a: null, l: [stub], s: [stub], g: stub, one: stub }),
  );
});

test("returns a valid value unchanged", ({ expect }) => {
  expect(normalizeObjectFromLegacySdk(block, value(some))).toEqual(value(some));
  expect(normalizeObjectFromLegacySdk(block, value(null))).toEqual(value(null));
});
