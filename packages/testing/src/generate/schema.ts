// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, number, object, set, string, tuple, type Type } from "@tenon/cty";
import {
  createAttribute,
  createBlock,
  createNestedAttributes,
  createNestedBlock,
  createSchema,
  type Attribute,
  type Block,
  type NestedBlock,
  type Schema,
} from "@tenon/schema";
import type { Random } from "./random.ts";

/** What generated schemas have. */
export interface SchemaSettings {
  /** Names of attributes and blocks. Default: plain words. */
  readonly names?: readonly string[];
  /** Descriptions. Default: none. */
  readonly descriptions?: readonly string[];
  /** Whether attributes may have nested attributes, which protocol 5 lacks. Default: true. */
  readonly nestedAttributes?: boolean;
  /** Whether attributes may be write-only. Default: true. */
  readonly writeOnly?: boolean;
  /** Number of levels of blocks and nested attributes inside each other. Default: 2. */
  readonly depth?: number;
  /** Types of attributes in place of generated ones, now and then. Default: none. */
  readonly types?: readonly Type[];
}

type CompleteSettings = Required<SchemaSettings>;

/** Where an attribute or block is, which limits it. */
interface Place {
  readonly depth: number;
  /** Whether nothing may be dynamic, because it is inside a set, a list or a map. */
  readonly inCollection: boolean;
  /** Whether nothing may be write-only, because it is inside a set or a computed attribute. */
  readonly refusesWriteOnly: boolean;
  /** Whether all attributes are computed, because the attribute around them is. */
  readonly isComputed: boolean;
}

const plainNames: readonly string[] = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima rule part unit".split(" ");

/** Generates a schema of a resource type that follows the rules of the protocol. */
export function generateSchema(random: Random, settings: SchemaSettings = {}): Schema {
  const complete = { names: plainNames, descriptions: [""], nestedAttributes: true, writeOnly: true, depth: 2, types: [], ...settings };
  const place = { depth: complete.depth, inCollection: false, refusesWriteOnly: !complete.writeOnly, isComputed: false };
  return createSchema(generateBlockSchema(random, complete, place), random.int(3));
}

function generateBlockSchema(random: Random, settings: CompleteSettings, place: Place): Block {
  const named = naming(random, settings.names);
  const attributes = random.times(1 + random.int(6), () => [named(), generateAttribute(random, settings, place)] as const);
  const count = place.depth > 0 ? random.int(3) : 0;
  const blocks = random.times(count, () => [named(), generateNestedBlock(random, settings, place)] as const);
  return createBlock({
    attributes: Object.fromEntries(attributes),
    blocks: Object.fromEntries(blocks),
    description: random.pick(settings.descriptions),
    deprecated: random.chance(0.03),
  });
}

/** Returns a function that names parts of one body: each gets a name of its own. */
function naming(random: Random, names: readonly string[]): () => string {
  const taken = new Set<string>();
  return () => {
    const free = names.filter((name) => !taken.has(name));
    const name = free.length === 0 ? `n${taken.size}` : random.pick(free);
    taken.add(name);
    return name;
  };
}

function generateNestedBlock(random: Random, settings: CompleteSettings, place: Place): NestedBlock {
  const nesting = random.pick(["single", "list", "set", "map", "group"] as const);
  const inner: Place = {
    ...place,
    depth: place.depth - 1,
    inCollection: place.inCollection || nesting === "set",
    refusesWriteOnly: place.refusesWriteOnly || nesting === "set",
  };
  const block = generateBlockSchema(random, settings, inner);
  if (nesting === "group" || nesting === "map") return createNestedBlock(nesting, block);
  if (nesting === "single") return createNestedBlock(nesting, block, random.chance(0.2) ? { minItems: 1, maxItems: 1 } : {});
  const minItems = random.chance(0.2) ? 1 : 0;
  return createNestedBlock(nesting, block, { minItems, maxItems: random.chance(0.3) ? 1 + random.int(3) : 0 });
}

function generateAttribute(random: Random, settings: CompleteSettings, place: Place): Attribute {
  const mode = place.isComputed
    ? "computed"
    : random.weighted([
        [6, "optional"],
        [4, "required"],
        [3, "computed"],
        [3, "optionalComputed"],
      ] as const);
  const writeOnly = !place.refusesWriteOnly && (mode === "optional" || mode === "required") && random.chance(0.06);
  const flags = {
    required: mode === "required",
    optional: mode === "optional" || mode === "optionalComputed",
    computed: mode === "computed" || mode === "optionalComputed",
    writeOnly,
    sensitive: random.chance(0.1),
    deprecated: random.chance(0.03),
    description: random.pick(settings.descriptions),
  };
  if (settings.nestedAttributes && !writeOnly && place.depth > 0 && random.chance(0.2)) {
    return createAttribute({ ...flags, nested: generateNested(random, settings, place, flags.computed) });
  }
  return createAttribute({ ...flags, type: generateAttributeType(random, settings, place) });
}

function generateNested(
  random: Random,
  settings: CompleteSettings,
  place: Place,
  isComputed: boolean,
): ReturnType<typeof createNestedAttributes> {
  const nesting = random.pick(["single", "list", "set", "map"] as const);
  const inner: Place = {
    depth: place.depth - 1,
    inCollection: place.inCollection || nesting !== "single",
    refusesWriteOnly: place.refusesWriteOnly || nesting === "set" || isComputed,
    isComputed: place.isComputed || isComputed,
  };
  const named = naming(random, settings.names);
  const attributes = random.times(1 + random.int(3), () => [named(), generateAttribute(random, settings, inner)] as const);
  return createNestedAttributes(nesting, Object.fromEntries(attributes));
}

function generateAttributeType(random: Random, { types }: CompleteSettings, { inCollection }: Place): Type {
  if (types.length > 0 && !inCollection && random.chance(0.1)) return random.pick(types);
  return generateType(random, { depth: 2, dynamic: !inCollection });
}

/** Generates a type of an attribute: primitives, and collections and objects of those. */
export function generateType(
  random: Random,
  { depth, dynamic: mayBeDynamic }: { readonly depth: number; readonly dynamic: boolean },
): Type {
  const inner = (): Type => generateType(random, { depth: depth - 1, dynamic: false });
  const deep = depth > 0 ? 1 : 0;
  return random.weighted<() => Type>([
    [6, () => string],
    [3, () => number],
    [2, () => bool],
    [2 * deep, () => list(inner())],
    [2 * deep, () => map(inner())],
    [deep, () => set(inner())],
    [deep, () => object(Object.fromEntries(random.times(1 + random.int(2), (index) => [["x", "y"][index]!, inner()])))],
    [deep, () => tuple(inner(), inner())],
    [mayBeDynamic ? 1 : 0, () => dynamic],
  ])();
}
