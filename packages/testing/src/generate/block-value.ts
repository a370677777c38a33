// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, isKnown, isNull, isWhollyKnown, nullOf, objectOf, same, unknown, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { mapPayload, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { impliedType, type Attribute, type Block, type NestedBlock } from "@tenon/schema";
import {
  bodyInside,
  distinctElements,
  hasContent,
  mapBlock,
  nestedValue,
  partsOfBody,
  type Arrangement,
  type BodyPart,
  type Elements,
  type Inside,
} from "./body.ts";
import type { Random } from "./random.ts";
import { isChosen, typeValue } from "./type-value.ts";
import { completeSettings, type CompleteSettings, type ValueSettings } from "./value-settings.ts";

/** Which attributes a value has: those that a configuration may set, or those that a state may have. */
export type ValueRole = "configuration" | "state";

/**
 * Generates a value of a block as the schema allows it: required attributes are set, and blocks have an allowed number of elements. What a
 * provider checks beyond its schema is not known; `settings.parts` says how single attributes are generated.
 */
export function generateBlock(random: Random, block: Block, role: ValueRole, settings: ValueSettings = {}): Value {
  const generation = role === "configuration" ? configurationOf(settings) : stateOf(settings);
  const parts = new Map(partsOfBody(block, "").map(([name, part]) => [name, partValue(random, part, generation)]));
  return convert(objectOf(parts), impliedType(block));
}

/** Generates a configuration that differs from another in few parts, or in none. */
export function changeConfiguration(random: Random, block: Block, config: Value, settings: ValueSettings = {}): Value {
  const generation = configurationOf(settings);
  return mapBlock(
    block,
    config,
    (part, _, inside) => (random.chance(0.25) ? partValue(random, part, generation) : inside()),
    arrangement(generation, (inside, elements) => changedElements(random, inside, elements, generation.elementChanges)),
  );
}

/** Removes elements of a repeated part, as many as the schema allows, and reverses a list. */
function changedElements(random: Random, { nesting, minItems }: Inside, elements: Elements, share: number): Elements {
  if (nesting === "single" || nesting === "group") return elements;
  let removable = elements.length - minItems;
  const kept = elements.filter(() => !isChosen(random, share) || removable-- <= 0);
  return nesting === "list" && isChosen(random, share) ? kept.toReversed() : kept;
}

/** A change of a configuration in one attribute or block. */
export interface PartChange {
  readonly before: Value;
  readonly after: Value;
  /** `after` with an unknown value of the attribute, or unknown values inside the block. */
  readonly unknowns: Value;
}

/**
 * Changes one attribute or block of a configuration to another value, so that nothing else hides what the change causes. Returns undefined if a
 * configuration can set nothing.
 */
export function changeOnePart(random: Random, block: Block, config: Value, settings: ValueSettings = {}): PartChange | undefined {
  const parts = partsOfBody(block, "").filter(([, { attribute }]) => attribute === undefined || attribute.required || attribute.optional);
  if (parts.length === 0) return undefined;
  const [, { at: place, attribute }] = random.pick(parts);
  const complete = configurationOf(settings);
  // An optional attribute may be absent, but seldom: most changes are from one value to another.
  const withPart = (whole: Value): Value => {
    const present = random.chance(0.2) ? 0 : 1;
    return mapBlock(block, whole, (part, value) => (part.at === place ? partValue(random, part, { ...complete, present }) : value));
  };
  const before = withPart(config);
  let after = withPart(before);
  for (let tries = 0; tries < 5 && same(before, after); tries += 1) after = withPart(before);
  const unknowns = mapBlock(block, after, (part, value, inside) => {
    const isPlace = part.at === place || part.at.startsWith(`${place}.`);
    if (!isPlace || value.payload === null || part.block?.nesting === "set") return value;
    if (part.block !== undefined) return inside();
    return attribute !== undefined || random.chance(0.5) ? unknown(part.type) : value;
  });
  return { before, after, unknowns };
}

/**
 * Replaces some attributes that a configuration sets, or some elements of them, by unknown ones. A set is unknown as a whole or not at all: how many
 * elements it has is not known while one is unknown.
 */
export function withUnknowns(random: Random, block: Block, config: Value): Value {
  return mapBlock(block, config, (part, before, inside) => {
    if (!hasContent(before) || part.block?.nesting === "set") return before;
    if (part.block !== undefined) return inside();
    if (random.chance(0.3)) return unknown(part.type);
    if (part.attribute.nested !== undefined) return part.attribute.nested.nesting === "set" ? before : inside();
    return random.chance(0.3) ? withUnknownElements(random, before) : before;
  });
}

/** Replaces some elements of a list or map by unknown ones. */
function withUnknownElements(random: Random, whole: Value): Value {
  const { type, payload } = whole;
  const element = (one: Payload): Payload => (random.chance(0.5) ? UNKNOWN : one);
  if (type.kind === "list") return valueOf(type, (payload as readonly Payload[]).map(element));
  if (type.kind !== "map") return whole;
  return valueOf(type, mapPayload([...(payload as ReadonlyMap<string, Payload>)].map(([key, one]) => [key, element(one)] as const)));
}

/**
 * Returns what a provider without plan modifiers plans for the creation of an object: computed attributes that the configuration does not set
 * are unknown, and write-only ones are null.
 */
export function creationPlan(block: Block, config: Value): Value {
  return mapBlock(
    block,
    config,
    ({ attribute, type }, before, inside) => {
      if (attribute?.writeOnly === true) return nullOf(type);
      return attribute?.computed === true && isNull(before) ? unknown(type) : inside();
    },
    allElements,
  );
}

/**
 * Generates the state of an object that was made from a plan: the unknown values are generated, and all others are as planned. Of a plan that
 * is wholly known, it is the planned state.
 */
export function generatePrior(random: Random, block: Block, planned: Value, settings: ValueSettings = {}): Value {
  const generation = stateOf({ ...settings, present: 1 });
  return mapBlock(
    block,
    planned,
    (part, value, inside) => {
      if (!isKnown(value)) return partValue(random, part, generation);
      if (bodyInside(part) !== undefined || isWhollyKnown(value)) return inside();
      return typeValue(random, value.type, contentsAt(part, generation));
    },
    arrangement(generation),
  );
}

interface Generation extends CompleteSettings {
  readonly role: ValueRole;
}

function configurationOf(settings: ValueSettings): Generation {
  return { ...completeSettings(settings), role: "configuration" };
}

/** A state is wholly known, and as the schema demands it. */
function stateOf(settings: ValueSettings): Generation {
  return { ...completeSettings(settings), unknowns: 0, faults: 0, role: "state" };
}

const allElements: Arrangement = (_, elements) => elements;

function arrangement({ similarElements }: CompleteSettings, change: Arrangement = allElements): Arrangement {
  const keep = similarElements ? allElements : distinctElements;
  return (inside, elements) => keep(inside, change(inside, elements));
}

function partValue(random: Random, part: BodyPart, generation: Generation): Value {
  const { attribute, type, at } = part;
  const generator = generation.parts.get(at);
  if (attribute === undefined)
    return generator === undefined ? nestedBlock(random, part.block, part, generation) : ofType(generator(random), type);
  if (isSettable(attribute, generation) && isChosen(random, generation.unknowns)) return unknown(type);
  if (isAbsent(random, attribute, generation)) return nullOf(type);
  if (generator !== undefined) return ofType(generator(random), type);
  if (attribute.nested === undefined) return typeValue(random, type, contentsAt(part, generation));
  const { nesting } = attribute.nested;
  return repeated(random, part, nesting === "single" ? 1 : random.int(3), generation);
}

function isSettable(attribute: Attribute, { role }: Generation): boolean {
  return role === "configuration" ? attribute.required || attribute.optional : !attribute.writeOnly;
}

/** Whether an attribute has no value. A fault is the opposite of what the schema demands. */
function isAbsent(random: Random, attribute: Attribute, generation: Generation): boolean {
  if (!isSettable(attribute, generation)) return !isChosen(random, generation.faults);
  return attribute.required ? isChosen(random, generation.faults) : !random.chance(generation.present);
}

function contentsAt({ at }: BodyPart, generation: Generation): Generation {
  const contents = generation.contents.get(at);
  return contents === undefined ? generation : { ...generation, ...contents };
}

function ofType(value: Value, type: Type): Value {
  return type.kind === "dynamic" ? value : convert(value, type);
}

function nestedBlock(random: Random, { nesting, minItems, maxItems }: NestedBlock, part: BodyPart, generation: Generation): Value {
  if (nesting === "single") {
    const isPresent = minItems > 0 ? !isChosen(random, generation.faults) : random.chance(generation.present);
    return isPresent ? repeated(random, part, 1, generation) : nullOf(part.type);
  }
  if (nesting === "group") return repeated(random, part, 1, generation);
  if (isChosen(random, generation.unknowns)) return unknown(part.type);
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
  return nestedValue(inside, part.type, arrangement(generation)(inside, elements));
}
