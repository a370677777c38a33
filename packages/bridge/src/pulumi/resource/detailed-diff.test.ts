// SPDX-License-Identifier: Apache-2.0
import { list, map, set, string } from "@tenon/cty";
import { structMapOf } from "@tenon/protocol/carrier";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { mapBlock } from "../mapping/object-mapping.ts";
import { type PropertyMap, secretProperty, unknownProperty } from "../property/property-value.ts";
import { decodeProperties } from "../values/decode-properties.ts";
import type { JsonObject } from "../property/json.ts";
import { formatPropertyPath, type PropertyPath } from "../values/property-path.ts";
import { detailedDiff } from "./detailed-diff.ts";

function decoded(json: JsonObject): PropertyMap {
  return decodeProperties(structMapOf(json));
}

const optional = { optional: true };
const mapping = mapBlock(
  createBlock({
    attributes: {
      name: createAttribute({ type: string, ...optional }),
      day: createAttribute({ type: string, computed: true }),
      token: createAttribute({ type: string, writeOnly: true, ...optional }),
      tag: createAttribute({ type: list(string), ...optional }),
      label: createAttribute({ type: set(string), ...optional }),
      note: createAttribute({ type: map(string), ...optional }),
      member: createAttribute({
        nested: createNestedAttributes("set", {
          key: createAttribute({ type: string, required: true }),
          stamp: createAttribute({ type: string, computed: true }),
        }),
        ...optional,
      }),
    },
    blocks: {
      rule: createNestedBlock("set", {
        attributes: {
          name: createAttribute({ type: string, ...optional }),
          mode: createAttribute({ type: string, ...optional }),
        },
      }),
    },
  }),
);

function diff(
  before: JsonObject,
  after: PropertyMap | JsonObject,
  inputs: JsonObject,
  { replacements = [], oldInputs = {} }: { readonly replacements?: readonly PropertyPath[]; readonly oldInputs?: JsonObject } = {},
): object {
  const changes = detailedDiff(mapping, {
    before: decoded(before),
    after: after instanceof Map ? after : decoded(after as JsonObject),
    inputs: decoded(inputs),
    oldInputs: decoded(oldInputs),
    replacements,
  });
  return Object.fromEntries(changes.map(({ path, kind, replaces }) => [formatPropertyPath(path), replaces ? `${kind}-replace` : kind]));
}

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("detailedDiff", () => {
  test("compares only what the program sets", ({ expect }) => {
    expect(diff({ name: "a", day: "1" }, { name: "a", day: "2" }, { name: "a" })).toEqual({});
    expect(diff({ name: "a", token: null }, { name: "b", token: null }, { name: "b", token: "t" })).toEqual({ name: "update" });
  });

  test("compares lists by index and maps by key", ({ expect }) => {
    expect(diff({ tags: ["a", "b"] }, { tags: ["a", "c", "d"] }, { tags: ["a", "c", "d"] })).toEqual({
      "tags[1]": "update",
      "tags[2]": "add",
    });
    expect(diff({ note: { "a.b": "1", c: "2" } }, { note: { c: "3" } }, { note: { "a.b": "1", c: "3" } })).toEqual({
      'note["a.b"]': "delete",
      "note.c": "update",
    });
  });

  test("compares sets by element, at the indexes of the inputs", ({ expect }) => {
    expect(diff({ labels: ["a", "b"] }, { labels: ["b", "c", "d"] }, { labels: ["d", "b", "c"] })).toEqual({
      "labels[0]": "update",
      "labels[2]": "add",
    });
    expect(diff({ labels: ["a", "b"] }, { labels: ["b"] }, { labels: ["b"] })).toEqual({ "labels[0]": "delete" });
    expect(diff({ labels: ["a", "b"] }, { labels: ["b", "c"] }, { labels: ["c"] })).toEqual({ labels: "update" });
  });

  test("treats elements of sets as equal if only computed parts are unknown", ({ expect }) => {
    const before = { members: ["a", "b"].map((key, index) => ({ key, stamp: String(index) })) };
    const after = { members: ["b", "a"].map((key) => ({ key, stamp: unknownText })) };
    const inputs = { members: [{ key: "b" }, { key: "a" }] };
    expect(diff(before, after, inputs)).toEqual({});
    const unknownKey = {
      members: [
        { key: "a", stamp: unknownText },
        { key: unknownText, stamp: unknownText },
      ],
    };
    const given = { members: [{ key: "a" }, { key: unknownText }] };
    expect(diff(before, unknownKey, given)).toEqual({ "members[1].key": "update", "members[1].stamp": "update" });
  });

  test("finds the inputs of elements with defaults of the provider", ({ expect }) => {
    const before = { rules: [{ name: "a", mode: "m" }] };
    const after = {
      rules: [
        { name: "b", mode: "m" },
        { name: "c", mode: "n" },
      ],
    };
    const inputs = { rules: [{ name: "c", mode: "n" }, { name: "b" }] };
    expect(diff(before, after, inputs)).toEqual({ "rules[0].name": "update", "rules[0].mode": "update", "rules[1]": "add" });
  });

  test("treats the first block as an added property, and the last as a removed one", ({ expect }) => {
    expect(diff({ rules: [] }, { rules: [{ name: "a" }] }, { rules: [{ name: "a" }] })).toEqual({ rules: "add" });
    expect(diff({ rules: [{ name: "a" }] }, { rules: [] }, {}, { oldInputs: { rules: [{ name: "a" }] } })).toEqual({ rules: "delete" });
  });

  test("compares long lists by index", ({ expect }) => {
    const long = Array.from({ length: 1000 }, (_, index) => String(index));
    expect(diff({ tags: long }, { tags: [...long, "x"] }, { tags: [...long, "x"] })).toEqual({ "tags[1000]": "add" });
    const short = ["a", "b", "c"];
    expect(diff({ tags: short }, { tags: ["x", ...short] }, { tags: ["x", ...short] })).toEqual({ "tags[0]": "add" });
  });

  test("treats unknown values as changes, and ignores secrecy", ({ expect }) => {
    expect(diff({ name: "a" }, { name: unknownText }, { name: unknownText })).toEqual({ name: "update" });
    expect(diff({ name: null }, new Map([["name", unknownProperty()]]), { name: "x" })).toEqual({ name: "add" });
    expect(diff({ name: "a" }, new Map([["name", secretProperty("a")]]), { name: "a" })).toEqual({});
  });

  test("does not mark computed values that only follow from the change", ({ expect }) => {
    const before = { members: [{ key: "a", stamp: "1" }] };
    const after = { members: [{ key: "b", stamp: unknownText }] };
    expect(diff(before, after, { members: [{ key: "b" }] }, { replacements: [["members"]] })).toEqual({
      "members[0].key": "update-replace",
      "members[0].stamp": "update",
    });
  });

  test("marks the changes that replace the resource, and reports a replacement without a change", ({ expect }) => {
    expect(diff({ note: { a: "1" } }, { note: { a: "2" } }, { note: { a: "2" } }, { replacements: [["note"]] })).toEqual({
      "note.a": "update-replace",
    });
    expect(diff({ name: "a" }, { name: "a" }, { name: "a" }, { replacements: [["day"]] })).toEqual({ day: "update-replace" });
  });
});
