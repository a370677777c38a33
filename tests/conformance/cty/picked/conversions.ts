// SPDX-License-Identifier: Apache-2.0
import type { Case, TypeNotation, ValueNotation } from "../notation.ts";
import { ask, bool, decimal, integer, list, map, marked, nullOf, object, pairs, set, string, tuple, unknown } from "./build.ts";

const values: readonly ValueNotation[] = [
  ...["", "a", "1", "0", "1.50", " 1", "true", "false", "TRUE", "True", "yes"].map(string),
  integer(1),
  decimal("1.10"),
  decimal("1e3"),
  bool(false),
  nullOf("string"),
  nullOf("dynamic"),
  unknown("string"),
  unknown("string", { null: false, prefix: "a" }),
  unknown("dynamic"),
  marked(string("1"), "m"),
  list("string", "b", "a", "b"),
  list("string", "1", { $: "null" }),
  unknown(["list", "string"], { null: false, lenMin: "2", lenMax: "5" }),
  set("string", "b", "a"),
  set("number", { n: "1" }, { $: "unknown" }),
  unknown(["set", "string"], { lenMin: "2" }),
  map("string", { a: "1", b: "x" }),
  map("number", {}),
  tuple(),
  tuple(string("a"), integer(1)),
  tuple(string("a"), string("a")),
  unknown(["tuple", ["string", "string"]], { null: false }),
  object({}),
  object({ a: string("1"), b: bool(true) }),
  object({ a: nullOf("string") }),
  object({ a: marked(string("1"), "i") }),
  unknown(["object", { a: "string" }]),
];

const targets: readonly TypeNotation[] = [
  "string",
  "number",
  "bool",
  "dynamic",
  ["list", "string"],
  ["list", "number"],
  ["list", "dynamic"],
  ["set", "string"],
  ["set", "dynamic"],
  ["map", "string"],
  ["map", "number"],
  ["map", "dynamic"],
  ["tuple", ["string", "string"]],
  ["tuple", ["dynamic", "number"]],
  ["object", {}],
  ["object", { a: "string" }],
  ["object", { a: "number" }],
  ["object", { a: "string", c: "bool" }],
  ["object", { a: "string", c: "bool" }, ["c"]],
  ["object", { a: "dynamic" }, ["a"]],
  ["list", ["object", { a: "string", c: ["object", { x: "number" }, ["x"]] }, ["c"]]],
];

const unified: readonly (readonly TypeNotation[])[] = [
  [],
  ["string"],
  ["string", "number"],
  ["number", "bool"],
  ["bool", "string", "number"],
  ["dynamic", "string"],
  [
    ["list", "string"],
    ["list", "number"],
  ],
  [
    ["list", "string"],
    ["set", "number"],
  ],
  [
    ["list", "string"],
    ["tuple", ["number", "bool"]],
  ],
  [
    ["tuple", ["string"]],
    ["tuple", ["number"]],
  ],
  [
    ["tuple", ["string"]],
    ["tuple", ["number", "bool"]],
  ],
  [
    ["map", "string"],
    ["object", { a: "number" }],
  ],
  [
    ["object", { a: "string" }],
    ["object", { a: "number" }],
  ],
  [
    ["object", { a: "string" }],
    ["object", { b: "number" }],
  ],
  [
    ["object", { a: "string" }],
    ["tuple", ["number"]],
  ],
  [
    ["list", "dynamic"],
    ["list", "string"],
  ],
  [["map", "dynamic"], ["object", { a: "number" }], "dynamic"],
  [
    ["set", ["list", "string"]],
    ["set", ["list", "number"]],
  ],
];

/** the table of conversions, optional attributes, nulls and unknowns on the way, unification. */
export const conversions: readonly Case[] = [
  ...pairs("convert", values, targets),
  ...pairs(
    "getConversion",
    values.map(({ t }) => t),
    targets,
  ),
  ...pairs(
    "mismatch",
    values.map(({ t }) => t),
    targets,
  ),
  ...unified.flatMap((types) => [ask("unify", types), ask("unifyUnsafe", types)]),
];
