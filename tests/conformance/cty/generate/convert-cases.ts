// SPDX-License-Identifier: Apache-2.0
import type { Json, TypeNotation, ValueNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyType, nearType, objectType } from "./types.ts";
import type { Arguments } from "./value-cases.ts";
import { anyValue, dynamicValue, mixed, valueOfType } from "./values.ts";

const target = { dynamic: true, optional: true } as const;

/** Two types; the first often converts to the second. */
const typePair: Arguments = (random) => {
  const from = anyType(random, random.int(3), { dynamic: random.chance(0.3) });
  return [from, nearType(random, from, target)];
};

/** Strings that represent a number or a bool, so that conversions from strings often succeed. */
function literalOf(random: Random): ValueNotation {
  return { t: "string", v: random.pick(["1", "0", "true", "false", "12.50", "-3", "TRUE", "", "a", " 1", "1e3", "0.1"]) };
}

const conversion: Arguments = (random) => {
  if (random.chance(0.1)) return [literalOf(random), random.pick<TypeNotation>(["number", "bool", "string"])];
  if (random.chance(0.1)) return nestedOptionals(random);
  const value = anyValue(random, random.int(4), mixed);
  return [value, random.chance(0.1) ? anyType(random, 2, target) : nearType(random, value.t, target)];
};

/** An object type with an optional attribute that is an object with an optional attribute, in collections up to `depth` deep. */
function nestedOptionalType(random: Random, depth: number): TypeNotation {
  if (depth > 0) return [random.pick(["list", "set", "map"]), nestedOptionalType(random, depth - 1)];
  const inner: TypeNotation = ["object", { a: random.pick(["string", "dynamic"]) }, ["a"]];
  return ["object", { k: inner, ...(random.chance(0.3) ? { s: "string" } : {}) }, ["k", "s"].slice(0, random.chance(0.3) ? 2 : 1)];
}

/** A value that converts to {@link nestedOptionalType} through maps, tuples and objects, with nulls and unknowns in it. */
function nestedOptionalValue(random: Random, depth: number): ValueNotation {
  if (depth === 0) {
    const leaf = random.pick<ValueNotation>([
      { t: ["map", ["map", "string"]], v: [] },
      { t: ["map", "string"], v: [] },
      { t: ["map", ["map", "string"]], v: [["k", random.pick<Json>([[], [["a", "x"]], { $: "null" }])]] },
      { t: ["object", {}], v: [] },
      { t: ["object", { k: ["object", { a: "string" }] }], v: [["k", random.pick<Json>([[["a", "x"]], { $: "null" }, { $: "unknown" }])]] },
      { t: ["object", { k: ["object", { a: "string" }, ["a"]] }], v: [["k", { $: "null" }]] },
      dynamicValue,
    ]);
    return random.chance(0.2) ? { t: leaf.t, v: { $: random.pick(["null", "unknown"]) } } : leaf;
  }
  const parts = random.times(1 + random.int(3), () => nestedOptionalValue(random, depth - 1));
  const kind = random.pick(["tuple", "object", "list", "map"]);
  if (kind === "tuple") return { t: ["tuple", parts.map(({ t }) => t)], v: parts.map(({ v }) => v) };
  if (kind === "object") {
    return {
      t: ["object", Object.fromEntries(parts.map(({ t }, index) => [`p${index}`, t]))],
      v: parts.map(({ v }, index): Json => [`p${index}`, v]),
    };
  }
  const { t, v } = parts[0]!;
  return { t: [kind, t], v: kind === "map" ? [["m", v]] : [v] };
}

const nestedOptionals: Arguments = (random) => {
  const depth = 1 + random.int(2);
  return [nestedOptionalValue(random, depth), nestedOptionalType(random, depth)];
};

/** Types that often unify. */
function someTypes(random: Random): TypeNotation[] {
  const first = random.chance(0.5) ? anyType(random, 2, { dynamic: random.chance(0.3) }) : objectType(random, 2, () => anyType(random, 1));
  return random.times(random.int(4) + (random.chance(0.95) ? 1 : 0), (index) =>
    index === 0 ? first : nearType(random, first, { dynamic: random.chance(0.2) }),
  );
}

const typesToUnify: Arguments = (random) => [someTypes(random)];

const valuesToUnify: Arguments = (random) => [
  someTypes(random).map((type): Json =>
    random.chance(0.04) ? dynamicValue : valueOfType(random, type, { null: 0.04, unknown: 0.08, marked: 0.03 }),
  ),
];

/** Generators of arguments for conversion and unification. */
export const convertArguments: Readonly<Record<string, Arguments>> = {
  convert: conversion,
  getConversion: typePair,
  mismatch: typePair,
  unify: typesToUnify,
  unifyUnsafe: typesToUnify,
  unifyValues: valuesToUnify,
  unifyValuesUnsafe: valuesToUnify,
};
