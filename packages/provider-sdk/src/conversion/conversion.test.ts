// SPDX-License-Identifier: Apache-2.0
import { dynamic, number, object, of, same, string, unknown, type Type, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { attr, block, nested, unknownValue, type Schema } from "../index.ts";
import { blockShape, type WrittenSchema } from "../compile/block-shape.ts";
import { Faults } from "../compile/fault.ts";
import type { ObjectShape } from "../shape/shape.ts";
import { rootPosition } from "../compile/schema-position.ts";
import { decode, type View } from "./decode.ts";
import { encode } from "./encode.ts";
import { problemText } from "./problem.ts";

function shapeOf(schema: Schema): ObjectShape {
  return blockShape(schema as unknown as WrittenSchema, rootPosition("resource", undefined), new Faults("test"));
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
  test("survive a round trip", ({ expect }) => {
    const shape = shapeOf(everything);
    const { value, problems } = encode(shape, sample, "result");
    expect(problems).toEqual([]);
    for (const view of ["config", "planned", "state", "draft"] as const)
      expect(decode(shape, value, view)).toEqual({ value: sample, problems: [] });
  });

  test("are encoded as the cores expect: numbers equal those from text", ({ expect }) => {
    const { value } = encode(
      shapeOf({ a: attr.number({ required: true }), b: attr.number({ required: true }) }),
      { a: 0.1, b: -0 },
      "result",
    );
    expect(same(value, of(object({ a: number, b: number }), { a: 0.1, b: 0 }))).toBe(true);
  });

  test("keep the type of dynamic values", ({ expect }) => {
    const shape = shapeOf({
      any: attr.dynamic({ optional: true }),
      one: nested.single({ any: attr.dynamic({ optional: true }) }, { optional: true }),
    });
    const list: Value = of<Type>(dynamic, [1, "a"]);
    const { value, problems } = encode(shape, { any: list, one: { any: of(string, "x") } }, "result");
    expect(problems).toEqual([]);
    expect(value.type).toBe(object({ any: list.type, one: object({ any: string }) }));
    expect(decode(shape, value, "state").value).toEqual({ any: list, one: { any: of(string, "x") } });
  });

  test("include getters of a class, but no members of Object.prototype", ({ expect }) => {
    class Row {
      get title(): string {
        return "t";
      }
    }
    const shape = shapeOf({ title: attr.string({ required: true }), constructor: attr.string({ optional: true }) });
    expect(encode(shape, new Row(), "result").problems.map(problemText)).toEqual([
      "constructor is missing: the result must contain every attribute, with null for those without a value",
    ]);
  });
});

describe("decoding for an author", () => {
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
    ["config", {}, ["d is null, but must not be"]],
    ["config", { a: unknown(string), d: "s" }, ["a is unknown, but must be known"]],
    ["configDraft", { a: unknown(string), b: [unknown(string)], d: "s" }, { a: unknownValue, b: [unknownValue], d: "s" }],
    ["planned", { c: unknown(number) }, { a: "a", b: null, c: unknownValue, d: null }],
    ["planned", { b: [unknown(string)], c: 1 }, ["b[0] is unknown, but must be known"]],
    ["state", { c: 1 }, { a: "a", b: null, c: 1 }],
    ["state", {}, ["c is null, but must not be"]],
    ["state", { b: [null], c: 1 }, ["b[0] is null, but must not be"]],
    ["recorded", { b: [null] }, { a: "a", b: [null], c: null }],
    ["recorded", {}, { a: "a", b: null, c: null }],
    [
      "state",
      { c: 9007199254740993n },
      ["c is not exactly representable as a JavaScript number; the provider must declare it as attr.bigint or attr.decimal"],
    ],
  ])("in %s: %o", ([view, data, expected], { expect }) => {
    expect(seen(data, view)).toEqual(expected);
  });
});

describe("encoding an author's result", () => {
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
    [{ title: undefined }, ["title is missing: the result must contain every attribute, with null for those without a value"]],
    [{ title: 5 }, ["title is a number, but must be a string"]],
    [{ title: null }, ["title is null, but must not be"]],
    [{ title: unknownValue }, ["title is unknown, but must be known"]],
    [{ size: Number.POSITIVE_INFINITY }, ["size is Infinity, but must be a number"]],
    [{ size: "5" }, ["size is a string, but must be a number"]],
    [{ big: 1.5 }, ["big is a number, but must be a bigint"]],
    [{ exact: "1e5" }, []],
    [{ exact: "0x10" }, ["exact is not a number as decimal text"]],
    [{ exact: 5 }, ["exact is a number, but must be a number as decimal text"]],
    [{ names: new Set(["b", "a"]) }, []],
    [{ names: ["a", null] }, ["names[1] is null, but must not be"]],
    [{ names: "abc" }, ["names is a string, but must be an array"]],
    [{ token: "secret" }, []],
    [{ rule: [{}] }, ["rule[0].from is missing: the result must contain every attribute, with null for those without a value"]],
    [{ rule: null }, ["rule is null, but must not be"]],
  ])("%o", ([data, expected], { expect }) => {
    const { value, problems } = encode(shape, { ...sound, ...data }, "result");
    expect(problems.map(problemText)).toEqual(expected);
    // Whatever is wrong, the value is one that the cores can read.
    expect(value.type).toBe(shape.type);
  });

  test("rejects a value that is not an object", ({ expect }) => {
    expect(encode(shape, undefined, "result").problems.map(problemText)).toEqual(["is missing"]);
    expect(encode(shape, [1], "result").problems.map(problemText)).toEqual(["is an array, but must be an object of attributes"]);
    expect(encode(shape, new Map([["title", "x"]]), "result").problems.map(problemText)).toEqual([
      "is a Map, but must be an object of attributes",
    ]);
  });
});
