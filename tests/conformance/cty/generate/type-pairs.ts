// SPDX-License-Identifier: Apache-2.0
import { kindOf, type Case, type TypeNotation } from "../notation.ts";
import { randomFor } from "@tenon/testing/generate";
import { plain, valueOfType } from "./values.ts";

const simple: readonly TypeNotation[] = ["string", "number", "bool", "dynamic"];

/** Every kind of type with the given types as its parts; objects also with an optional attribute. */
function over(inner: readonly TypeNotation[]): TypeNotation[] {
  return inner.flatMap((type): TypeNotation[] => [
    ["list", type],
    ["set", type],
    ["map", type],
    ["tuple", [type]],
    ["tuple", [type, "string"]],
    ["object", { a: type }],
    ["object", { a: type, b: "number" }],
    ["object", { a: type }, ["a"]],
  ]);
}

const shallow = over(simple);
/** All types with up to two levels. */
const types: readonly TypeNotation[] = [...simple, ["tuple", []], ["object", {}], ...shallow, ...over(shallow)];

/** Number of pairs that become cases; all ordered pairs would be nine times as many. */
const sample = 9000;

/** Cases for ordered pairs of types: conversion of the type, conversion of a value, unification. */
export function typePairCases(seed: number): Case[] {
  return Array.from({ length: sample }, (_, index): Case => {
    const random = randomFor(seed, "pairs", index);
    // First every pair of types with at most one level, then random pairs.
    const near = index < shallow.length * shallow.length;
    const from = near ? shallow[index % shallow.length]! : random.pick(types);
    const to = near
      ? shallow[Math.floor(index / shallow.length)]!
      : random.pick(random.chance(0.5) ? types : types.filter((type) => kindOf(type) === kindOf(from)));
    if (random.chance(0.35)) return { op: "getConversion", args: [from, to] };
    if (random.chance(0.25)) return { op: "mismatch", args: [from, to] };
    if (random.chance(0.5)) return { op: random.chance(0.5) ? "unify" : "unifyUnsafe", args: [[from, to]] };
    return { op: "convert", args: [valueOfType(random, known(from), plain), to] };
  });
}

/** The type of a known value: without optional attributes, and with string in place of dynamic. */
function known(type: TypeNotation): TypeNotation {
  if (!Array.isArray(type)) return type === "dynamic" ? "string" : type;
  const [kind, inner] = type as [string, TypeNotation];
  if (kind === "tuple") return [kind, (inner as readonly TypeNotation[]).map(known)];
  if (kind === "object")
    return [
      kind,
      Object.fromEntries(
        Object.entries(inner as Readonly<Record<string, TypeNotation>>).map(([name, attribute]) => [name, known(attribute)]),
      ),
    ];
  return [kind, known(inner)];
}
