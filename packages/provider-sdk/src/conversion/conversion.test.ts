// SPDX-License-Identifier: Apache-2.0
import { dynamic, number, object, of, same, string, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { attr, block, nested, unknownValue, type Schema } from "../index.ts";
import { blockShape, type WrittenSchema } from "../schema/block-shape.ts";
import { Faults } from "../schema/fault.ts";
import type { ObjectShape } from "../schema/shape.ts";
import { rootOf } from "../schema/surroundings.ts";
import { decode, type View } from "./decode.ts";
import { encode } from "./encode.ts";
import { problemText } from "./problem.ts";

function shapeOf(schema: Schema): ObjectShape {
  return blockShape(schema as unknown as WrittenSchema, rootOf("resource", undefined), new Faults("test"));
}

const everything = {
  text: attr.string({ required: true }),
  number: attr.number({ required: true }),
  big: attr.bigint({ required: true }),
  exact: attr.decimal({ required: true }),
  flag: attr.bool({ required: true }),
  any: attr.dynamic({ optional: true }),
  list: attr.list(attr.list(attr.number()), { required: true }),
  set: attr.set(attr.object({ host: attr.string(), port: attr.number({ nullable: true }) }), { required: true }),
  map: attr.map(attr.bool(), { required: true }),
  one: nested.single({ a: attr.string({ optional: true }) }, { optional: true }),
  many: nested.map({ a: attr.string({ required: true }) }, { required: true }),
  rule: block.list({ from: attr.number({ required: true }) }),
  box: block.single({ size: attr.number({ optional: true }) }),
  group: block.group({ size: attr.number({ optional: true }) }),
};
const sample = {
  text: "é",
  number: 0.1,
  big: 123456789012345678901234567890n,
  exact: "0.30000000000000000000000000000001",
  flag: false,
  any: null,
  list: [[1, -2.5e-7], []],
  set: [{ host: "a", port: null }],
  map: { ["__proto__"]: true, constructor: false },
  one: null,
  many: { k: { a: "x" } },
  rule: [{ from: 3 }],
  box: null,
  group: { size: null },
};

describe("values of an author's types", () => {
  test("come back as they went", ({ expect }) => {
    const shape = shapeOf(everything);
    const { value, problems } = encode(shape, sample, "answer");
    expect(problems).toEqual([]);
    for (const view of ["config", "planned", "state", "draft"] as const)
      expect(decode(shape, value, view)).toEqual({ value: sample, problems: [] });
  });

  test("are what the cores read: numbers are equal to those written as text", ({ expect }) => {
    const { value } = encode(
      shapeOf({ a: attr.number({ required: true }), b: attr.number({ required: true }) }),
      { a: 0.1, b: -0 },
      "answer",
    );
    expect(same(value, of(object({ a: number, b: number }), { a: 0.1, b: 0 }))).toBe(true);
  });

  test("keep their own type where it is dynamic", ({ expect }) => {
    const shape = shapeOf({
      any: attr.dynamic({ optional: true }),
      one: nested.single({ any: attr.dynamic({ optional: true }) }, { optional: true }),
    });
    const list: Value = of<Type>(dynamic, [1, "a"]);
    const { value, problems } = encode(shape, { any: list, one: { any: of(string, "x") } }, "answer");
    expect(problems).toEqual([]);
    expect(value.type).toBe(object({ any: list.type, one: object({ any: string }) }));
    expect(decode(shape, value, "state").value).toEqual({ any: list, one: { any: of(string, "x") } });
  });

  test("a getter of a class is an answer; what every object inherits is not", ({ expect }) => {
    class Row {
      get title(): string {
        return "t";
      }
    }
    const shape = shapeOf({ title: attr.string({ required: true }), constructor: attr.string({ optional: true }) });
    expect(encode(shape, new Row(), "answer").problems.map(problemText)).toEqual([
      "constructor is missing: an answer names every attribute, with null where there is nothing",
    ]);
  });
});

describe("what an author cannot be shown", () => {
  const shape = shapeOf({
    a: attr.string({ required: true }),
    b: attr.list(attr.string(), { optional: true }),
    c: attr.number({ computed: true }),
    d: attr.string({ required: true, writeOnly: true }),
  });
  const seen = (data: object, view: View): unknown => {
    const { value, problems } = decode(shape, of<Type>(shape.type, { a: "a", b: null, c: null, d: null, ...data } as never), view);
    return problems.length > 0 ? problems.map(problemText) : value;
  };

  test.for<readonly [View, object, unknown]>([
    ["config", { d: "s" }, { a: "a", b: null, d: "s" }],
    ["config", {}, ["d is null, and must not be"]],
    ["config", { a: unknown(string), d: "s" }, ["a is not known yet, and must be"]],
    ["configDraft", { a: unknown(string), b: [unknown(string)], d: "s" }, { a: unknownValue, b: [unknownValue], d: "s" }],
    ["planned", { c: unknown(number) }, { a: "a", b: null, c: unknownValue, d: null }],
    ["planned", { b: [unknown(string)], c: 1 }, ["b[0] is not known yet, and must be"]],
    ["state", { c: 1 }, { a: "a", b: null, c: 1 }],
    ["state", {}, ["c is null, and must not be"]],
    ["state", { b: [null], c: 1 }, ["b[0] is null, and must not be"]],
    ["recorded", { b: [null] }, { a: "a", b: [null], c: null }],
    ["recorded", {}, { a: "a", b: null, c: null }],
    ["state", { c: 9007199254740993n }, ["c is a number that JavaScript cannot hold exactly, and is not rounded"]],
  ])("in %s: %o", ([view, data, expected], { expect }) => {
    expect(seen(data, view)).toEqual(expected);
  });
});

describe("what an author answers", () => {
  const shape = shapeOf({
    title: attr.string({ required: true }),
    size: attr.number({ optional: true }),
    big: attr.bigint({ optional: true }),
    exact: attr.decimal({ optional: true }),
    names: attr.set(attr.string(), { computed: true }),
    token: attr.string({ optional: true, writeOnly: true }),
    rule: block.list({ from: attr.number({ required: true }) }),
  });
  const sound = { title: "t", size: null, big: null, exact: null, names: [], rule: [] };

  test.for<readonly [object, readonly string[]]>([
    [{ token: null, more: "is dropped" }, []],
    [{ title: undefined }, ["title is missing: an answer names every attribute, with null where there is nothing"]],
    [{ title: 5 }, ["title is a number, and must be a string"]],
    [{ title: null }, ["title is null, and must not be"]],
    [{ title: unknownValue }, ["title is unknown, and has to be known by now"]],
    [{ size: Number.POSITIVE_INFINITY }, ["size is Infinity, and must be a number"]],
    [{ size: "5" }, ["size is a string, and must be a number"]],
    [{ big: 1.5 }, ["big is a number, and must be a bigint"]],
    [{ exact: "1e5" }, []],
    [{ exact: "0x10" }, ["exact is text that is no number"]],
    [{ exact: 5 }, ["exact is a number, and must be a number as decimal text"]],
    [{ names: new Set(["b", "a"]) }, []],
    [{ names: ["a", null] }, ["names[1] is null, and must not be"]],
    [{ names: "abc" }, ["names is a string, and must be an array"]],
    [{ token: "secret" }, ["token is write-only: it is not part of the state, so leave it out or say null"]],
    [{ rule: [{}] }, ["rule[0].from is missing: an answer names every attribute, with null where there is nothing"]],
    [{ rule: null }, ["rule is null, and must not be"]],
  ])("%o", ([data, expected], { expect }) => {
    const { value, problems } = encode(shape, { ...sound, ...data }, "answer");
    expect(problems.map(problemText)).toEqual(expected);
    // Whatever is wrong, the value is one that the cores can read.
    expect(value.type).toBe(shape.type);
  });

  test("that is no object at all", ({ expect }) => {
    expect(encode(shape, undefined, "answer").problems.map(problemText)).toEqual(["is missing"]);
    expect(encode(shape, [1], "answer").problems.map(problemText)).toEqual(["is an array, and must be an object"]);
  });
});
