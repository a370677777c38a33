// SPDX-License-Identifier: Apache-2.0
import type { Case, Json, ValueNotation } from "../notation.ts";
import { ask, infinity, integer, list, map, marked, minusInfinity, nullOf, pairs, set, string, unknown } from "./build.ts";

const bound = (n: string, inclusive: boolean): Json => [{ n }, inclusive];

const promises: readonly Readonly<Record<string, Json>>[] = [
  {},
  { null: false },
  { null: true },
  { min: bound("1", true) },
  { min: bound("1", false), max: bound("1", false) },
  { min: bound("1", true), max: bound("1", false) },
  { null: false, min: bound("3", true), max: bound("3", true) },
  { min: bound("3", true), max: bound("3", true) },
  { min: bound("5", true), max: bound("3", true) },
  { min: [infinity.v, true] },
  { min: [minusInfinity.v, true] },
  { max: [{ $: "unknown" }, true] },
  { max: [{ $: "null" }, true] },
  { prefix: "ab" },
  { prefixTrimmed: "ab" },
  { prefixTrimmed: "ab-" },
  { prefix: "ab", prefixTrimmed: "abc-" },
  { prefix: "ab", prefixTrimmed: "xy-" },
  { lenMin: "0" },
  { lenMin: "1" },
  { lenMax: "0" },
  { null: false, lenMax: "0" },
  { null: false, lenMin: "2", lenMax: "2" },
  { null: false, lenMin: "1", lenMax: "1" },
  { lenMin: "3", lenMax: "2" },
  { lenMax: "9223372036854775807" },
];

const values: readonly ValueNotation[] = [
  unknown("number"),
  unknown("number", { null: false }),
  unknown("number", { min: bound("2", true) }),
  unknown("string"),
  unknown("string", { prefix: "ab" }),
  unknown("bool"),
  unknown(["list", "string"]),
  unknown(["set", "string"]),
  unknown(["map", "string"]),
  unknown(["tuple", []]),
  unknown("dynamic"),
  nullOf("string"),
  nullOf("dynamic"),
  integer(3),
  string("ab"),
  string("a"),
  list("string", "x"),
  set("string", "x", { $: "unknown" }),
  map("string", {}),
  marked(unknown("string"), "m"),
];

/** Refinements by type, contradictory ones, and ones that leave a single value. */
export const refinements: readonly Case[] = [
  ...pairs("value.refine", values, promises),
  ...values.map((one) => ask("value.range", one)),
  ...pairs("value.includes", values),
  ...pairs("value.equals", values),
];
