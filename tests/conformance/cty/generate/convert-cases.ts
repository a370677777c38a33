// SPDX-License-Identifier: Apache-2.0
import type { Json, TypeNotation, ValueNotation } from "../notation.ts";
import type { Random } from "../random.ts";
import { anyType, nearType, objectType } from "./types.ts";
import type { Arguments } from "./value-cases.ts";
import { anyValue, dynamicValue, mixed, valueOfType } from "./values.ts";

const target = { dynamic: true, optional: true } as const;

/** Two types of which one often converts to the other. */
const typePair: Arguments = (random) => {
  const from = anyType(random, random.int(3), { dynamic: random.chance(0.3) });
  return [from, nearType(random, from, target)];
};

/** Texts that mean a number or a bool, so that conversions from strings have something to say. */
function literalOf(random: Random): ValueNotation {
  return { t: "string", v: random.pick(["1", "0", "true", "false", "12.50", "-3", "TRUE", "", "a", " 1", "1e3", "0.1"]) };
}

const conversion: Arguments = (random) => {
  if (random.chance(0.1)) return [literalOf(random), random.pick<TypeNotation>(["number", "bool", "string"])];
  const value = anyValue(random, random.int(4), mixed);
  return [value, random.chance(0.1) ? anyType(random, 2, target) : nearType(random, value.t, target)];
};

/** Types that have something in common. */
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

/** How the arguments of conversion and unification are made. */
export const convertArguments: Readonly<Record<string, Arguments>> = {
  convert: conversion,
  getConversion: typePair,
  mismatch: typePair,
  unify: typesToUnify,
  unifyUnsafe: typesToUnify,
  unifyValues: valuesToUnify,
  unifyValuesUnsafe: valuesToUnify,
};
