// SPDX-License-Identifier: Apache-2.0
import {
  indexStep,
  attributeStep,
  bool,
  dynamic,
  list,
  map,
  mark,
  nullOf,
  number,
  object,
  of,
  set,
  string,
  unknown,
  type Type,
  type Value,
} from "@tenon/cty";
import { describe, test } from "vitest";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Block } from "../model/schema.ts";
import { describeChange } from "./render/describe-change.ts";
import { difference, valueDifference } from "./compare/object-difference.ts";
import type { DifferenceOptions } from "./difference.ts";
import { colourStyle } from "./render/difference-style.ts";
import { renderDifference, type RenderDifferenceOptions } from "./render/render-difference.ts";

const optional = (type: Type): ReturnType<typeof createAttribute> => createAttribute({ type, optional: true, computed: true });

function value(block: Block, data: unknown): Value {
  return data === null ? nullOf(impliedType(block)) : of<Type>(impliedType(block), data);
}

function text(block: Block, before: unknown, after: unknown, options: DifferenceOptions & RenderDifferenceOptions = {}): string {
  return `\n${renderDifference(difference(block, value(block, before), value(block, after), options), { header: 'resource "test_thing" "x"', ...options })}\n`;
}

describe("difference", () => {
  const block = createBlock({ attributes: { a: optional(string), s: createAttribute({ type: string, optional: true, sensitive: true }) } });

  test("returns a tree with actions, unknown values, sensitive values and forced replacements", ({ expect }) => {
    const tree = difference(block, value(block, { a: "x", s: "old" }), value(block, { a: unknown(string), s: "new" }), {
      requiresReplace: [[attributeStep("a")]],
    });
    expect(tree.action).toBe("update");
    if (tree.content.kind !== "block") throw new Error("expected a block");
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

  test("leaves out attributes that are null on both sides, and keeps unchanged ones", ({ expect }) => {
    const tree = difference(block, value(block, { a: "x", s: null }), value(block, { a: "x", s: null }));
    expect(tree.action).toBe("noOp");
    expect(tree.content.kind === "block" && [...tree.content.attributes.keys()]).toEqual(["a"]);
  });
});

// `tofu show` of OpenTofu 1.12.6 prints the same texts for these values: see test/differential.
describe("renderDifference", () => {
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

  test("renders a create", ({ expect }) => {
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

  test("renders an update in place", ({ expect }) => {
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

  test("renders a replacement", ({ expect }) => {
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

  test("repeats the note about replacement after both values on request", ({ expect }) => {
    const options = { requiresReplace: [[attributeStep("name")]], repeatReplacementNote: true };
    expect(text(block, base, { ...base, name: unknown(string) }, options)).toContain(
      '~ name = "n" # forces replacement -> (known after apply) # forces replacement\n',
    );
  });

  test("renders an object that is forgotten without signs of its parts", ({ expect }) => {
    expect(text(block, { ...base, rule: [{ port: 80, note: "n" }] }, null, { action: "forget" })).toMatchInlineSnapshot(`
      "
        . resource "test_thing" "x" {
          id   = "1"
          name = "n"
          on   = true
          pin  = (write-only attribute)
          size = 1

          rule {
              note = "n"
              port = 80
          }
      }
      "
    `);
  });

  test("renders a dynamic value without a note about replacement", ({ expect }) => {
    const dynamicBlock = createBlock({ attributes: { any: createAttribute({ type: dynamic, optional: true }) } });
    const [before, after] = ["x", "y"].map((one) => of(impliedType(dynamicBlock), { any: of(string, one) }));
    const tree = difference(dynamicBlock, before!, after!, { requiresReplace: [[attributeStep("any")]] });
    expect(renderDifference(tree)).toBe('  ~ {\n      ~ any = "x" -> "y"\n    }');
  });

  test("renders values that have no schema", ({ expect }) => {
    const shape = object({ a: number, b: list(string) });
    const rendered = (before: Value, after: Value): string => renderDifference(valueDifference(before, after), { header: "out =" });
    expect(rendered(nullOf(string), of(string, "x"))).toBe('  + out = "x"');
    expect(rendered(of(string, "x"), unknown(string))).toBe('  ~ out = "x" -> (known after apply)');
    expect(rendered(mark(of(string, "x"), "sensitive"), mark(of(string, "y"), "sensitive"))).toBe("  ~ out = (sensitive value)");
    expect(rendered(of(shape, { a: 1, b: ["x"] }), of(shape, { a: 2, b: ["x"] }))).toMatchInlineSnapshot(`
      "  ~ out = {
            ~ a = 1 -> 2
              # (1 unchanged attribute hidden)
          }"
    `);
  });

  test("renders a delete", ({ expect }) => {
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

  test("renders text with line breaks as lines, and JSON text as its value", ({ expect }) => {
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

  test("hides sensitive values of nested attributes and blocks", ({ expect }) => {
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

  test("hides a single block that a mark makes sensitive", ({ expect }) => {
    const nested = createBlock({ blocks: { b: createNestedBlock("list", { attributes: { a: optional(string) } }) } });
    const element = mark(of(object({ a: string }), { a: "1" }), "sensitive");
    expect(text(nested, { b: [{ a: "0" }] }, { b: [{ a: "0" }, element] })).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
            + b {
                # At least one attribute in this block is (or was) sensitive,
                # so its contents will not be displayed.
              }

              # (1 unchanged block hidden)
          }
      "
    `);
    expect(text(nested, { b: [] }, { b: [element] }, { showSensitive: true })).toContain('a = "1"');
  });

  test("leaves it to the marks of the values which sets are hidden, on request", ({ expect }) => {
    const nested = createBlock({
      blocks: {
        s: createNestedBlock("set", {
          attributes: { a: optional(string), s: createAttribute({ type: string, optional: true, sensitive: true }) },
        }),
      },
    });
    expect(text(nested, { s: [] }, { s: [{ a: "1", s: "hidden" }] }, { hidesSets: false })).toMatchInlineSnapshot(`
      "
        ~ resource "test_thing" "x" {
            + s {
                + a = "1"
                + s = (sensitive value)
              }
          }
      "
    `);
    const elements = of(set(object({ a: string, s: string })), [{ a: "1", s: "hidden" }]);
    expect(text(nested, { s: [] }, { s: mark(elements, "sensitive") }, { hidesSets: false })).not.toContain('"1"');
  });

  test("warns when a mark makes a value sensitive", ({ expect }) => {
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

  test("renders colours and hidden parts on request", ({ expect }) => {
    const after = { ...base, size: 2, secret: "s" };
    expect(text(block, base, after, { style: colourStyle })).toContain(
      "\u001B[33m~\u001B[0m\u001B[0m size   = 1 \u001B[33m->\u001B[0m\u001B[0m 2",
    );
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
] as const)("describeChange describes %j", ([change, expected], { expect }) => {
  expect(describeChange("a.b", change)).toBe(expected);
});

test("a difference that is limited to paths treats all else as unchanged", ({ expect }) => {
  const block = createBlock({
    attributes: {
      size: createAttribute({ type: number, optional: true }),
      tags: createAttribute({ type: map(string), optional: true }),
    },
  });
  const type = impliedType(block);
  const [before, after] = [of(type, { size: 1, tags: { a: "1", b: "1" } }), of(type, { size: 2, tags: { a: "2", b: "2" } })];
  const limited = difference(block, before, after, { relevantPaths: [[attributeStep("tags"), indexStep("a")]] });
  expect(limited.action).toBe("update");
  expect(
    renderDifference(limited, { header: "x" })
      .split("\n")
      .filter((line) => line.includes("->")),
  ).toEqual([expect.stringContaining('"1" -> "2"')]);
  expect(difference(block, before, after, { relevantPaths: [[attributeStep("other")]] }).action).toBe("noOp");
});
