// SPDX-License-Identifier: Apache-2.0
import { attributeStep, bool, list, map, mark, nullOf, number, object, of, set, string, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Block } from "../model/schema.ts";
import { describeChange } from "./describe-change.ts";
import { difference, type DifferenceOptions } from "./difference.ts";
import { colourStyle } from "./difference-style.ts";
import { renderDifference, type RenderDifferenceOptions } from "./render-difference.ts";

const optional = (type: Type): ReturnType<typeof createAttribute> => createAttribute({ type, optional: true, computed: true });

function value(block: Block, data: unknown): Value {
  return data === null ? nullOf(impliedType(block)) : of<Type>(impliedType(block), data);
}

function text(block: Block, before: unknown, after: unknown, options: DifferenceOptions & RenderDifferenceOptions = {}): string {
  return `\n${renderDifference(difference(block, value(block, before), value(block, after), options), { header: 'resource "test_thing" "x"', ...options })}\n`;
}

describe("as data", () => {
  const block = createBlock({ attributes: { a: optional(string), s: createAttribute({ type: string, optional: true, sensitive: true }) } });

  test("a tree with actions, unknown and sensitive values, and what forces replacement", ({ expect }) => {
    const tree = difference(block, value(block, { a: "x", s: "old" }), value(block, { a: unknown(string), s: "new" }), {
      requiresReplace: [[attributeStep("a")]],
    });
    expect(tree.action).toBe("update");
    if (tree.content.kind !== "block") throw new Error("a block was expected");
    const { attributes } = tree.content;
    expect(attributes.get("a")).toMatchObject({
      action: "update",
      forcesReplacement: true,
      before: of(string, "x"),
      content: { kind: "unknown" },
    });
    expect(attributes.get("s")).toMatchObject({
      action: "update",
      forcesReplacement: false,
      content: { kind: "sensitive", before: true, after: true },
    });
  });

  test("what stays null is left out, what stays is there", ({ expect }) => {
    const tree = difference(block, value(block, { a: "x", s: null }), value(block, { a: "x", s: null }));
    expect(tree.action).toBe("noOp");
    expect(tree.content.kind === "block" && [...tree.content.attributes.keys()]).toEqual(["a"]);
  });
});

// These are what `tofu show` of OpenTofu 1.12.6 prints for the same values: see test/differential.
describe("as text", () => {
  const block = createBlock({
    attributes: {
      id: createAttribute({ type: string, computed: true }),
      name: optional(string),
      size: optional(number),
      on: optional(bool),
      words: optional(list(string)),
      tags: optional(map(string)),
      parts: optional(set(string)),
      box: optional(object({ a: string, b: number })),
      doc: optional(string),
      secret: createAttribute({ type: string, optional: true, sensitive: true }),
      pin: createAttribute({ type: string, optional: true, writeOnly: true }),
    },
    blocks: { rule: createNestedBlock("list", { attributes: { port: optional(number), note: optional(string) } }) },
  });
  const base = {
    id: "1",
    name: "n",
    size: 1,
    on: true,
    words: null,
    tags: null,
    parts: null,
    box: null,
    doc: null,
    secret: null,
    pin: null,
    rule: [],
  };

  test("create", ({ expect }) => {
    expect(
      text(block, null, { ...base, id: unknown(string), words: ["a"], tags: { k: "v" }, secret: "s", rule: [{ port: 80, note: null }] }),
    ).toMatchInlineSnapshot(`
      "
        + resource "test_thing" "x" {
            + id     = (known after apply)
            + name   = "n"
            + on     = true
            + pin    = (write-only attribute)
            + secret = (sensitive value)
            + size   = 1
            + tags   = {
                + "k" = "v"
              }
            + words  = [
                + "a",
              ]

            + rule {
                + port = 80
              }
          }
      "
    `);
  });

  test("update in place", ({ expect }) => {
    const before = {
      ...base,
      words: ["a", "b", "c", "d"],
      tags: { a: "1", b: "2" },
      parts: ["p", "q"],
      box: { a: "x", b: 1 },
      secret: "s",
      rule: [
        { port: 80, note: "n" },
        { port: 443, note: null },
      ],
    };
    const after = {
      ...before,
      size: 2,
      on: null,
      words: ["a", "b", "x", "d"],
      tags: { a: "1", b: "3", c: "4" },
      parts: ["q", "r"],
      box: { a: "x", b: 2 },
      secret: "t",
      rule: [
        { port: 81, note: "n" },
        { port: 443, note: null },
      ],
    };
    expect(text(block, before, after)).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
            ~ box    = {
                ~ b = 1 -> 2
                  # (1 unchanged attribute hidden)
              }
              id     = "1"
              name   = "n"
            - on     = true -> null
            ~ parts  = [
                - "p",
                + "r",
                  # (1 unchanged element hidden)
              ]
            ~ pin    = (write-only attribute)
            ~ secret = (sensitive value)
            ~ size   = 1 -> 2
            ~ tags   = {
                  "a" = "1"
                ~ "b" = "2" -> "3"
                + "c" = "4"
              }
            ~ words  = [
                  # (1 unchanged element hidden)
                  "b",
                - "c",
                + "x",
                  "d",
              ]

            ~ rule {
                ~ port = 80 -> 81
                  # (1 unchanged attribute hidden)
              }

              # (1 unchanged block hidden)
          }
      "
    `);
  });

  test("replace", ({ expect }) => {
    expect(
      text(
        block,
        base,
        { ...base, id: unknown(string), name: "m" },
        { requiresReplace: [[attributeStep("name")]], action: "deleteThenCreate" },
      ),
    ).toMatchInlineSnapshot(`
      "
      -/+ resource "test_thing" "x" {
            ~ id   = "1" -> (known after apply)
            ~ name = "n" -> "m" # forces replacement
            ~ pin  = (write-only attribute)
              # (2 unchanged attributes hidden)
          }
      "
    `);
  });

  test("delete", ({ expect }) => {
    expect(text(block, { ...base, words: ["a"], box: { a: "x", b: 1 }, rule: [{ port: 80, note: "n" }] }, null)).toMatchInlineSnapshot(`
      "
        - resource "test_thing" "x" {
            - box   = {
                - a = "x"
                - b = 1
              } -> null
            - id    = "1" -> null
            - name  = "n" -> null
            - on    = true -> null
            - pin   = (write-only attribute) -> null
            - size  = 1 -> null
            - words = [
                - "a",
              ] -> null

            - rule {
                - note = "n" -> null
                - port = 80 -> null
              }
          }
      "
    `);
  });

  test("text with lines, and JSON", ({ expect }) => {
    expect(text(block, { ...base, doc: "one\ntwo\nthree\n" }, { ...base, doc: "one\n2\nthree\n" })).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
            ~ doc  = <<-EOT
                  one
                - two
                + 2
                  three
              EOT
              id   = "1"
              name = "n"
            ~ pin  = (write-only attribute)
              # (2 unchanged attributes hidden)
          }
      "
    `);
    expect(text(block, { ...base, doc: '{"a":1,"b":[1,2]}' }, { ...base, doc: '{"a":2,"b":[1,2,3]}' })).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
            ~ doc  = jsonencode(
                ~ {
                    ~ a = 1 -> 2
                    ~ b = [
                          # (1 unchanged element hidden)
                          2,
                        + 3,
                      ]
                  }
              )
              id   = "1"
              name = "n"
            ~ pin  = (write-only attribute)
              # (2 unchanged attributes hidden)
          }
      "
    `);
    expect(text(block, { ...base, doc: '{"a":1}' }, { ...base, doc: '{ "a": 1 }' })).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
            ~ doc  = jsonencode( # whitespace changes
                  {
                      a = 1
                  }
              )
              id   = "1"
              name = "n"
            ~ pin  = (write-only attribute)
              # (2 unchanged attributes hidden)
          }
      "
    `);
  });

  test("nested attributes and blocks that hide something", ({ expect }) => {
    const secret = createAttribute({ type: string, optional: true, sensitive: true });
    const nested = createBlock({
      attributes: { n: createAttribute({ nested: createNestedAttributes("map", { a: optional(string), s: secret }), optional: true }) },
      blocks: { s: createNestedBlock("set", { attributes: { s: secret } }) },
    });
    expect(
      text(
        nested,
        { n: { k: { a: "1", s: "x" } }, s: [{ s: "1" }] },
        { n: { k: { a: "2", s: "y" }, l: { a: "3", s: null } }, s: [{ s: "2" }] },
      ),
    ).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
            ~ n = {
                ~ "k" = {
                    ~ a = "1" -> "2"
                    ~ s = (sensitive value)
                  },
                + "l" = {
                    + a = "3"
                  },
              }

            - s {
                # At least one attribute in this block is (or was) sensitive,
                # so its contents will not be displayed.
              }
            + s {
                # At least one attribute in this block is (or was) sensitive,
                # so its contents will not be displayed.
              }
          }
      "
    `);
  });

  test("a mark makes a value sensitive, and what changes in that is told", ({ expect }) => {
    expect(text(block, base, { ...base, name: mark(of(string, "n"), "sensitive") })).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
              id   = "1"
            # Warning: this attribute value will be marked as sensitive and will not
            # display in UI output after applying this change. The value is unchanged.
            ~ name = (sensitive value)
            ~ pin  = (write-only attribute)
              # (2 unchanged attributes hidden)
          }
      "
    `);
  });

  test("with colours, and with what is hidden", ({ expect }) => {
    const after = { ...base, size: 2, secret: "s" };
    expect(text(block, base, after, { style: colourStyle })).toContain("\u001B[33m~\u001B[39m size   = 1 \u001B[33m->\u001B[39m 2");
    expect(text(block, base, after, { showSensitive: true })).toContain('+ secret = "s"');
    expect(text(block, base, after, { showUnchanged: true })).toContain("    on     = true");
  });
});

test.for([
  [{ action: "create" }, "  # a.b will be created"],
  [{ action: "update" }, "  # a.b will be updated in-place"],
  [{ action: "delete" }, "  # a.b will be destroyed"],
  [{ action: "read" }, "  # a.b will be read during apply"],
  [{ action: "replace" }, "  # a.b must be replaced"],
  [{ action: "replace", reason: "tainted" }, "  # a.b is tainted, so it must be replaced"],
  [{ action: "replace", reason: "requested" }, "  # a.b will be replaced, as requested"],
] as const)("describeChange %j", ([change, expected], { expect }) => {
  expect(describeChange("a.b", change)).toBe(expected);
});
