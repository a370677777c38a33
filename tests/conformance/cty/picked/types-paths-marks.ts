// SPDX-License-Identifier: Apache-2.0
import type { Case, Json, PathNotation, TypeNotation, ValueNotation } from "../notation.ts";
import { ask, bool, each, integer, list, map, marked, nullOf, object, pairs, set, string, tuple, unknown, value } from "./build.ts";

const types: readonly TypeNotation[] = [
  "string",
  "number",
  "bool",
  "dynamic",
  ["list", "string"],
  ["list", "dynamic"],
  ["set", ["list", "number"]],
  ["map", "dynamic"],
  ["map", ["object", { a: "bool" }]],
  ["tuple", []],
  ["tuple", ["string", "dynamic"]],
  ["object", {}],
  ["object", { b: "string", a: "number" }],
  ["object", { a: "number", b: "string" }, ["b"]],
  ["object", { a: ["object", { x: "string" }, ["x"]] }, ["a"]],
  ["object", { "<&>": "string", é: "dynamic", "10": "bool", "9": "bool" }],
];

/** Pairs of types that conform or not, for the paths of the errors. */
const conformances: readonly Case[] = [
  ...pairs("type.conformance", types),
  ...pairs("type.equals", types),
  ask(
    "type.conformance",
    ["object", { a: ["list", ["tuple", ["string", "bool"]]] }],
    ["object", { a: ["list", ["tuple", ["string", "string"]]] }],
  ),
  ask("type.conformance", ["object", { a: "string", c: "bool" }], ["object", { a: "string", b: "bool" }]),
  ask("type.conformance", ["tuple", ["string"]], ["tuple", ["string", "string", "string"]]),
  ask("type.conformance", ["map", ["set", "string"]], ["map", ["set", "number"]]),
];

const names: readonly Case[] = [
  "type.friendly",
  "type.friendlyConstraint",
  "type.gostring",
  "type.json",
  "type.withoutOptional",
  "type.hasDynamic",
].flatMap((op) => each(op, types));

const nested: ValueNotation = object({
  l: list("string", "a", { $: "null" }, { $: "unknown" }),
  m: map("number", { k: { n: "1", p: 64 }, é: { n: "2", p: 64 } }),
  s: set(["object", { a: "string" }], [["a", "x"]], [["a", "y"]]),
  t: tuple(integer(1), string("x")),
  n: nullOf(["list", "string"]),
  u: unknown(["map", "string"], { null: false }),
  e: value(["list", "string"], []),
  d: value(["tuple", []], []),
});

/** Values with marks on the whole, on parts, on both, and on elements of a set, which move to the set. */
const markedValues: readonly ValueNotation[] = [
  marked(string("x"), "a"),
  marked(marked(string("x"), "a"), "b"),
  marked(nested, "a"),
  value(["list", "string"], [{ $: "marked", m: ["b"], v: "x" }, "y"]),
  value(["set", "string"], [{ $: "marked", m: ["b"], v: "x" }, "y"]),
  value(["map", "string"], [["k", { $: "marked", m: ["b"], v: "x" }]]),
  marked(value(["tuple", ["string", ["list", "string"]]], [{ $: "marked", m: ["b"], v: "x" }, [{ $: "marked", m: ["c"], v: "y" }]]), "a"),
  marked(object({ a: marked(string("x"), "b"), b: string("y") }), "a"),
  marked(unknown("string"), "a"),
  marked(nullOf("string"), "a"),
  value(["set", ["object", { a: "string" }]], [[["a", { $: "marked", m: ["b"], v: "x" }]]]),
  nested,
];

const attribute = (name: string): readonly ["attr", string] => ["attr", name];
const index = (key: ValueNotation): readonly ["index", ValueNotation] => ["index", key];

const paths: readonly PathNotation[] = [
  [],
  [attribute("l")],
  [attribute("l"), index(integer(0))],
  [attribute("l"), index(integer(1))],
  [attribute("l"), index(integer(2))],
  [attribute("l"), index(integer(9))],
  [attribute("l"), index(string("0"))],
  [attribute("l"), index(unknown("number"))],
  [attribute("m"), index(string("k"))],
  [attribute("m"), index(string("e\u0301"))],
  [attribute("m"), index(string("nope"))],
  [attribute("m"), attribute("k")],
  [attribute("s"), index(object({ a: string("x") }))],
  [attribute("s"), index(object({ a: string("z") }))],
  [attribute("s"), index(object({ a: unknown("string") }))],
  [attribute("t"), index(integer(1))],
  [attribute("t"), index(integer(2))],
  [attribute("n"), index(integer(0))],
  [attribute("u"), index(string("k"))],
  [attribute("nope")],
  [index(string("l"))],
  [attribute("l"), attribute("x")],
];

const pathCases: readonly Case[] = [
  ...paths.map((path) => ask("path.apply", nested, path as Json)),
  ask("path.apply", nullOf(["object", { a: "string" }]), [["attr", "a"]]),
  ask("path.apply", unknown(["object", { a: "string" }]), [["attr", "a"]]),
  ask("path.apply", unknown("dynamic"), [["attr", "a"]]),
  ask("path.apply", marked(object({ a: string("x") }), "m"), [["attr", "a"]]),
  ...pairs("path.equals", paths.slice(0, 12) as readonly Json[]),
  ...pairs("path.hasPrefix", paths.slice(0, 12) as readonly Json[]),
  // Paths in a set are ordered by checksums of their steps.
  ask("pathset.list", paths as Json),
  ask("pathset.union", paths.slice(0, 6) as Json, paths.slice(3, 12) as Json),
  ask("pathset.intersection", paths.slice(0, 6) as Json, paths.slice(3, 12) as Json),
  ask("pathset.subtract", paths.slice(0, 6) as Json, paths.slice(3, 12) as Json),
  ask("pathset.symmetricDifference", paths.slice(0, 6) as Json, paths.slice(3, 12) as Json),
];

const markPaths: readonly Case[] = [
  ...(
    [
      [
        [[attribute("l")], ["a"]],
        [[attribute("m"), index(string("k"))], ["b"]],
      ],
      [[[attribute("s")], ["a"]]],
      [
        [[], ["a"]],
        [[], ["b"]],
      ],
      [[[attribute("nope")], ["a"]]],
    ] as Json[]
  ).map((places) => ask("marks.markWithPaths", nested, places)),
  ask("marks.mark", bool(true), ["a"]),
  ask("marks.mark", marked(bool(true), "a"), ["b"]),
];

/** Types that only null, unknown and empty values can have. */
const withOptionals: TypeNotation = ["object", { a: "string", b: "number" }, ["b"]];
const absent: readonly ValueNotation[] = [
  nullOf(withOptionals),
  unknown(withOptionals),
  unknown(withOptionals, { null: false }),
  value(["list", withOptionals], []),
  value(["map", withOptionals], []),
];

/** Names of types, paths, and marks. */
export const typesPathsMarks: readonly Case[] = [
  ...conformances,
  ...names,
  ...pathCases,
  ...markPaths,
  ...[
    "walk",
    "transform.identity",
    "marks.marks",
    "marks.unmark",
    "marks.unmarkDeep",
    "marks.unmarkDeepWithPaths",
    "marks.containsMarked",
  ].flatMap((op) => each(op, [...markedValues, ...absent])),
  ...pairs("value.equals", absent),
  ...pairs("value.rawEquals", absent),
  ...absent.flatMap((one) => [
    ask("convert", one, withOptionals),
    ask("convert", one, "dynamic"),
    ask("msgpack.marshal", one, one.t),
    ask("json.marshal", one, one.t),
  ]),
];
