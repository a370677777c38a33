// SPDX-License-Identifier: Apache-2.0
import { attributeStep, nullOf, object, of, string, unknown } from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { assertResultValue } from "./result-value.ts";

const block = createBlock({ attributes: { id: createAttribute({ type: string, computed: true }) } });

describe("assertResultValue", () => {
  test("accepts a wholly known value and null", ({ expect }) => {
    expect(assertResultValue(block, of(impliedType(block), { id: "a" }))).toEqual([]);
    expect(assertResultValue(block, nullOf(impliedType(block)))).toEqual([]);
  });

  test("reports a value of another type", ({ expect }) => {
    expect(assertResultValue(block, of(object({ name: string }), { name: "a" }))).toMatchObject([
      { message: 'unsupported attribute "name"' },
      { message: 'missing required attribute "id"' },
    ]);
  });

  test("reports each unknown value", ({ expect }) => {
    expect(assertResultValue(block, of(impliedType(block), { id: unknown(string) }))).toEqual([
      { path: [attributeStep("id")], message: "is unknown, and has to be known by now" },
    ]);
  });
});
