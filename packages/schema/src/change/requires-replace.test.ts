// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, list, of, string, unknown, type Path, type Type, type Value } from "@tenon/cty";
import { test } from "vitest";
import { createAttribute, createBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { filterRequiresReplace } from "./requires-replace.ts";

const block = createBlock({
  attributes: {
    a: createAttribute({ type: string, optional: true }),
    l: createAttribute({ type: list(string), optional: true }),
    w: createAttribute({ type: string, optional: true, writeOnly: true }),
  },
});
const value = (data: unknown): Value => of<Type>(impliedType(block), data);
const at = (...names: readonly (string | number)[]): Path =>
  names.map((name) => (typeof name === "string" ? attributeStep(name) : indexStep(name)));

test.for([
  ["keeps paths whose value changes", { a: "x", l: null, w: null }, { a: "y", l: null, w: null }, [at("a"), at("l")], [at("a")]],
  ["keeps paths whose value becomes unknown", { a: "x", l: null, w: null }, { a: unknown(string), l: null, w: null }, [at("a")], [at("a")]],
  [
    "keeps paths of removed elements",
    { a: "x", l: ["p", "q"], w: null },
    { a: "x", l: ["p"], w: null },
    [at("l", 0), at("l", 1)],
    [at("l", 1)],
  ],
  ["keeps paths of write-only attributes", { a: "x", l: null, w: null }, { a: "x", l: null, w: null }, [at("w")], [at("w")]],
  ["returns each path once", { a: "x", l: null, w: null }, { a: "y", l: null, w: null }, [at("a"), at("a")], [at("a")]],
  ["returns no paths without a prior object", null, { a: "y", l: null, w: null }, [at("a"), at("nowhere")], []],
] as const)("%s", ([, prior, planned, named, expected], { expect }) => {
  expect(filterRequiresReplace(block, value(prior), value(planned), named)).toEqual({ paths: expected, violations: [] });
});

test("reports a path that does not exist", ({ expect }) => {
  const result = filterRequiresReplace(block, value({ a: "x", l: [], w: null }), value({ a: "y", l: [], w: null }), [at("a"), at("l", 3)]);
  expect(result.paths).toEqual([at("a")]);
  expect(result.violations).toEqual([
    { path: at("l", 3), message: 'has indicated "requires replacement" for a non-existent attribute path' },
  ]);
});
