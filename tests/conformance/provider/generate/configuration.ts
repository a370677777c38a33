// SPDX-License-Identifier: Apache-2.0
import { of, string, type Value } from "@tenon/cty";
import { changeConfiguration, creationPlan, generateBlock, generatePrior, type Random, type ValueSettings } from "@tenon/testing/generate";
import type { SchemaDeclaration, TypeDeclaration } from "../declaration.ts";
import { declaredBlock } from "./declared-block.ts";
import { exactNumbers, fractions, spellings, texts, wholeNumbers } from "./validators.ts";

/** What generated configurations have. */
export interface Wishes {
  readonly unknowns: boolean;
  readonly faults: boolean;
}

const known: Wishes = { unknowns: false, faults: false };

/** Values of the attribute `mode`, which select how the handlers behave. */
const modes: readonly string[] = "throw half error warn spell gone drift private refuse caution replace set keep invalid".split(" ");

/** Generates a configuration of a declared schema. */
export function makeConfig(random: Random, schema: SchemaDeclaration, wishes: Wishes): Value {
  return generateBlock(random, declaredBlock(schema), "configuration", settingsOf(schema, wishes));
}

/** Generates a configuration that is similar to another, sometimes equal. */
export function changeConfig(random: Random, schema: SchemaDeclaration, config: Value, wishes: Wishes): Value {
  return random.chance(0.2) ? config : changeConfiguration(random, declaredBlock(schema), config, settingsOf(schema, wishes));
}

/** Generates a state for a configuration: without unknown and write-only values, with computed ones. */
export function makeState(random: Random, schema: SchemaDeclaration, config: Value): Value {
  const block = declaredBlock(schema);
  return generatePrior(random, block, creationPlan(block, config), settingsOf(schema, known));
}

function settingsOf(schema: SchemaDeclaration, { unknowns, faults }: Wishes): ValueSettings {
  return {
    texts,
    numbers: exactNumbers,
    keys: ["k", "key", "K"],
    nullElements: 0.04,
    present: 0.55,
    unknowns: unknowns ? 0.05 : 0,
    faults: faults ? 0.03 : 0,
    elementChanges: 0.1,
    similarElements: true,
    parts: "mode" in schema.attributes ? new Map([["mode", (random: Random) => of(string, random.pick(modes))]]) : new Map(),
    contents: new Map(contentsIn(schema, "")),
  };
}

type Contents = Pick<ValueSettings, "texts" | "numbers">;

/** Texts and numbers that fit the kinds of single attributes. */
function contentsIn({ attributes, blocks = {} }: SchemaDeclaration, within: string): readonly (readonly [at: string, Contents])[] {
  return [...Object.entries(attributes), ...Object.entries(blocks)].flatMap(([name, declared]) =>
    "body" in declared ? contentsIn(declared.body, `${within}${name}.`) : [[`${within}${name}`, contentsOf(declared)] as const],
  );
}

/** Content that every part of a type may have: an object of whole numbers and fractions has whole numbers. */
function contentsOf(type: TypeDeclaration): Contents {
  const kinds = kindsIn(type);
  return { texts: kinds.has("caseless") ? spellings : texts, numbers: numbersOf(kinds) };
}

function numbersOf(kinds: ReadonlySet<string>): readonly string[] {
  const isFraction = kinds.has("float32") || kinds.has("float64");
  // In a dynamic attribute, a program of Pulumi cannot tell a number that a double cannot hold from a text.
  if (kinds.has("int32") || kinds.has("dynamic") || (kinds.has("int64") && isFraction)) return wholeNumbers.map(String);
  if (kinds.has("int64")) return [...wholeNumbers.map(String), "9007199254740993"];
  return isFraction ? fractions.map(String) : exactNumbers;
}

function kindsIn(type: TypeDeclaration): ReadonlySet<string> {
  if ("element" in type) return kindsIn(type.element);
  if ("members" in type) return new Set(Object.values(type.members).flatMap((member) => [...kindsIn(member)]));
  return new Set([type.kind]);
}
