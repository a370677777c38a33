// SPDX-License-Identifier: Apache-2.0
import { of, string, type Type, type Value } from "@tenon/cty";
import { test } from "vitest";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { formatRuleViolation } from "./rule-violation.ts";
import { assertWriteOnlyNull } from "./write-only.ts";

const secret = createAttribute({ type: string, optional: true, writeOnly: true });
const plain = createAttribute({ type: string, optional: true });
const block = createBlock({
  attributes: { secret, plain, list: createAttribute({ nested: createNestedAttributes("list", { secret, plain }), optional: true }) },
  blocks: { map: createNestedBlock("map", { attributes: { secret } }) },
});
const value = (data: unknown): Value => of<Type>(impliedType(block), data);

test("reports values of write-only attributes at any depth", ({ expect }) => {
  const found = assertWriteOnlyNull(
    block,
    value({
      secret: "a",
      plain: "b",
      list: [
        { secret: null, plain: "c" },
        { secret: "d", plain: null },
      ],
      map: { k: { secret: "e" } },
    }),
  );
  expect(found.map(formatRuleViolation)).toEqual([
    '.list[1].secret: an actual value for the write-only attribute ".list[1].secret"',
    '.secret: an actual value for the write-only attribute ".secret"',
    '.map["k"].secret: an actual value for the write-only attribute ".map[\\"k\\"].secret"',
  ]);
});

test("accepts null write-only attributes", ({ expect }) => {
  expect(assertWriteOnlyNull(block, value({ secret: null, plain: "b", list: null, map: {} }))).toEqual([]);
  expect(assertWriteOnlyNull(block, value(null))).toEqual([]);
});
