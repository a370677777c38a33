// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, isKnown, isWhollyKnown, nullOf, objectOf, unknown, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { impliedType, type Block, type NestedBlock } from "@tenon/schema";
import { bodyInside, mapBlock, nestedValue, partsOfBody, type BodyPart } from "./body.ts";
import type { Random } from "./random.ts";
import { typeValue } from "./type-value.ts";
import { completeSettings, type CompleteSettings, type ValueSettings } from "./value-settings.ts";

/** Which attributes a value has: those that a configuration may set, or those that a state may have. */
export type ValueRole = "configuration" | "state";

/**
 * Generates a value of a block as the schema allows it: required attributes are set, and blocks have an allowed number of elements. What a
 * provider checks beyond its schema is not known; `settings.parts` says how single attributes are generated.
 */
export function generateBlock(random: Random, block: Block, role: ValueRole, settings: ValueSettings = {}): Value {
  const generation: Generation = { ...completeSettings(settings), role };
  const parts = new Map(partsOfBody(block, "").map(([name, part]) => [name, partValue(random, part, generation)]));
  return convert(objectOf(parts), impliedType(block));
}

/** Generates a configuration that differs from another in few parts, or in none. */
export function changeConfiguration(random: Random, block: Block, config: Value, settings: ValueSettings = {}): Value {
  const complete: Generation = { ...completeSettings(settings), role: "configuration" };
  return mapBlock(block, config, (part, before, inside) => (random.chance(0.25) ? partValue(random, part, complete) : inside()));
}

/**
 * Replaces some attributes that a configuration sets by unknown ones. A set is unknown as a whole or not at all: how many elements it has is not known
 * while one is unknown.
 */
export function withUnknowns(random: Random, block: Block, config: Value): Value {
  return mapBlock(block, config, (part, before, inside) => {
    if (before.payload === null || part.block?.nesting === "set") return before;
    if (part.block !== undefined) return inside();
    return random.chance(0.3) ? unknown(part.type) : part.attribute.nested?.nesting === "set" ? before : inside();
  });
}

/**
 * Generates the state of an object that was made from a plan: the unknown values are generated, and all others are as planned. Of a plan that
 * is wholly known, it is the planned state.
 */
export function generatePrior(random: Random, block: Block, planned: Value, settings: ValueSettings = {}): Value {
  const complete: Generation = { ...completeSettings(settings), role: "state", present: 1 };
  return mapBlock(block, planned, (part, value, inside) => {
    if (!isKnown(value)) return partValue(random, part, complete);
    return bodyInside(part) === undefined && !isWhollyKnown(value) ? typeValue(random, value.type, complete) : inside();
  });
}

interface Generation extends CompleteSettings {
  readonly role: ValueRole;
}

function partValue(random: Random, part: BodyPart, generation: Generation): Value {
  const { attribute, type, at } = part;
  const generator = generation.parts.get(at);
  if (attribute === undefined)
    return generator === undefined ? nestedBlock(random, part.block, part, generation) : ofType(generator(random), type);
  const isSettable = attribute.required || attribute.optional;
  const isAbsent = generation.role === "configuration" ? !isSettable : attribute.writeOnly;
  if (isAbsent || (!attribute.required && !random.chance(generation.present))) return nullOf(type);
  if (generator !== undefined) return ofType(generator(random), type);
  if (attribute.nested === undefined) return typeValue(random, type, generation);
  const { nesting } = attribute.nested;
  return repeated(random, part, nesting === "single" ? 1 : random.int(3), generation);
}

function ofType(value: Value, type: Type): Value {
  return type.kind === "dynamic" ? value : convert(value, type);
}

function nestedBlock(random: Random, { nesting, minItems, maxItems }: NestedBlock, part: BodyPart, generation: Generation): Value {
  if (nesting === "single")
    return minItems > 0 || random.chance(generation.present) ? repeated(random, part, 1, generation) : nullOf(part.type);
  if (nesting === "group") return repeated(random, part, 1, generation);
  // Elements of a set of a dynamic type must have one type.
  const most = nesting === "set" && hasDynamic(part.type) ? 1 : maxItems === 0 ? Infinity : maxItems;
  return repeated(random, part, Math.min(minItems + random.int(3), most), generation);
}

function repeated(random: Random, part: BodyPart, count: number, generation: Generation): Value {
  const inside = bodyInside(part)!;
  const elements = random.times(count, (index) => {
    const parts = new Map(partsOfBody(inside.body, part.at).map(([name, inner]) => [name, partValue(random, inner, generation)]));
    return [generation.keys[index] ?? `k${index}`, objectOf(parts)] as const;
  });
  return nestedValue(inside, part.type, elements);
}
