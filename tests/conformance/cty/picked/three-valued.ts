// SPDX-License-Identifier: Apache-2.0
import type { Case, ValueNotation } from "../notation.ts";
import { bool, decimal, each, integer, list, map, marked, nullOf, object, pairs, set, string, tuple, unknown } from "./build.ts";

const dynamic: readonly ValueNotation[] = [unknown("dynamic"), nullOf("dynamic")];

const numbers: readonly ValueNotation[] = [
  integer(0),
  decimal("2.5"),
  unknown("number"),
  unknown("number", { null: false }),
  unknown("number", { null: false, min: [{ n: "1" }, true], max: [{ n: "3" }, true] }),
  unknown("number", { min: [{ n: "4" }, false] }),
  nullOf("number"),
  marked(integer(3), "m"),
  marked(unknown("number"), "n"),
  ...dynamic,
  string("1"),
];

const bools: readonly ValueNotation[] = [
  bool(true),
  bool(false),
  unknown("bool"),
  unknown("bool", { null: false }),
  nullOf("bool"),
  marked(bool(true), "m"),
  marked(unknown("bool"), "n"),
  ...dynamic,
  string("true"),
];

/** One value of each kind that an answer may depend on. */
const anything: readonly ValueNotation[] = [
  string("a"),
  string(""),
  integer(1),
  bool(true),
  nullOf("string"),
  nullOf("number"),
  unknown("string"),
  unknown("string", { null: false }),
  unknown("string", { prefix: "a" }),
  unknown("string", { null: false, prefix: "b" }),
  unknown("number"),
  ...dynamic,
  list("string", "a"),
  list("string", { $: "unknown" }),
  list("string", { $: "null" }),
  emptyOf("list"),
  unknown(["list", "string"]),
  unknown(["list", "string"], { null: false, lenMin: "2" }),
  set("string", "a"),
  set("string", "a", { $: "unknown" }),
  map("string", { k: "a" }),
  tuple(string("a")),
  tuple(unknown("string")),
  object({ a: string("a") }),
  object({ a: unknown("string") }),
  object({ a: unknown("dynamic") }),
  object({}),
  nullOf(["object", { a: "string" }]),
  marked(string("a"), "m"),
  marked(list("string", "a"), "m"),
  list("string", { $: "marked", m: ["inner"], v: "a" }),
];

function emptyOf(kind: "list" | "set" | "map"): ValueNotation {
  return { t: [kind, "string"], v: [] };
}

const containers: readonly ValueNotation[] = [
  list("string", "a", "b"),
  emptyOf("list"),
  unknown(["list", "string"]),
  unknown(["list", "string"], { null: false, lenMin: "1", lenMax: "1" }),
  nullOf(["list", "string"]),
  map("number", { a: { n: "1" }, "": { n: "2" } }),
  unknown(["map", "number"]),
  tuple(string("a"), integer(1)),
  unknown(["tuple", ["string", "number"]]),
  marked(list("string", "a"), "m"),
  ...dynamic,
  string("a"),
  object({ a: string("x") }),
];

const keys: readonly ValueNotation[] = [
  integer(0),
  integer(1),
  decimal("1"),
  integer(-1),
  integer(2),
  decimal("0.5"),
  decimal("99999999999999999999"),
  string("a"),
  string("missing"),
  string("0"),
  unknown("number"),
  unknown("string"),
  nullOf("number"),
  nullOf("string"),
  marked(integer(0), "k"),
  unknown("dynamic"),
  bool(true),
];

const sets: readonly ValueNotation[] = [
  set("string", "a", "b"),
  set("string", "a", { $: "unknown" }),
  set("string", { $: "unknown" }),
  set("string", { $: "null" }),
  emptyOf("set"),
  unknown(["set", "string"]),
  nullOf(["set", "string"]),
  marked(set("string", "a"), "m"),
  set(["object", { a: "string" }], [["a", { $: "unknown" }]]),
  unknown("dynamic"),
  list("string", "a"),
];

const elements: readonly ValueNotation[] = [
  string("a"),
  string("z"),
  unknown("string"),
  unknown("string", { null: false, prefix: "z" }),
  nullOf("string"),
  integer(1),
  marked(string("a"), "e"),
  unknown("dynamic"),
  object({ a: string("x") }),
];

/** Each operation with unknown, null, marked and dynamic operands. */
export const threeValued: readonly Case[] = [
  ...["add", "sub", "mul", "div", "mod", "lt", "gt", "lte", "gte"].flatMap((op) => pairs(`value.${op}`, numbers)),
  ...["neg", "abs"].flatMap((op) => each(`value.${op}`, numbers)),
  ...["and", "or"].flatMap((op) => pairs(`value.${op}`, bools)),
  ...each("value.not", bools),
  ...["equals", "rawEquals"].flatMap((op) => pairs(`value.${op}`, anything)),
  ...["index", "hasIndex"].flatMap((op) => pairs(`value.${op}`, containers, keys)),
  ...pairs("value.hasElement", sets, elements),
  ...["length", "elements", "isKnown", "isNull", "isWhollyKnown", "unknownAsNull", "refineNotNull", "gostring"].flatMap((op) =>
    each(`value.${op}`, [...anything, ...containers, ...sets]),
  ),
  ...pairs(
    "value.getAttr",
    [
      object({ a: string("x"), é: integer(1) }),
      unknown(["object", { a: "string" }]),
      nullOf(["object", { a: "string" }]),
      ...dynamic,
      marked(object({ a: marked(string("x"), "i") }), "o"),
      map("string", { a: "x" }),
    ],
    ["a", "b", "e\u0301", ""],
  ),
];
