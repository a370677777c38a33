// SPDX-License-Identifier: Apache-2.0
import { list, map, set, string } from "@tenon/cty";
import { createAttribute, createBlock, createNestedAttributes } from "@tenon/schema";
import { describe, test } from "vitest";
import { mapBlock } from "../mapping/object-mapping.ts";
import { type PropertyMap, secretProperty, unknownProperty } from "../property/property-value.ts";
import { decodeProperties } from "../values/decode-properties.ts";
import type { JsonObject } from "../property/json.ts";
import { formatPropertyPath, type PropertyPath } from "../values/property-path.ts";
import { detailedDiff } from "./detailed-diff.ts";

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
  }),
);

function diff(before: JsonObject, after: PropertyMap | JsonObject, inputs: JsonObject, replacements: readonly PropertyPath[] = []): object {
  const changes = detailedDiff(mapping, {
    before: decodeProperties(before),
    after: after instanceof Map ? after : decodeProperties(after as JsonObject),
    inputs: [decodeProperties(inputs)],
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

  test("compares sets by element, whose computed parts may be unknown", ({ expect }) => {
    expect(diff({ labels: ["a", "b"] }, { labels: ["b", "c", "d"] }, { labels: ["b"] })).toEqual({
      "labels[0]": "delete",
      "labels[1]": "add",
      "labels[2]": "add",
    });
    const before = {
      members: [
        { key: "a", stamp: "1" },
        { key: "b", stamp: "2" },
      ],
    };
    const after = {
      members: [
        { key: "b", stamp: unknownText },
        { key: "a", stamp: unknownText },
      ],
    };
    expect(diff(before, after, after)).toEqual({});
  });

  test("takes unknown values for changes, and ignores secrecy", ({ expect }) => {
    expect(diff({ name: "a" }, { name: unknownText }, { name: unknownText })).toEqual({ name: "update" });
    expect(diff({ name: null }, new Map([["name", unknownProperty()]]), { name: "x" })).toEqual({ name: "add" });
    expect(diff({ name: "a" }, new Map([["name", secretProperty("a")]]), { name: "a" })).toEqual({});
  });

  test("marks the changes that replace, and names a replacement without a change", ({ expect }) => {
    expect(diff({ note: { a: "1" } }, { note: { a: "2" } }, { note: { a: "2" } }, [["note"]])).toEqual({ "note.a": "update-replace" });
    expect(diff({ name: "a" }, { name: "a" }, { name: "a" }, [["day"]])).toEqual({ day: "update-replace" });
  });
});
