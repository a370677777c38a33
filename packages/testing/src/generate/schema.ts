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
  type NestedAttributes,
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
  /** Whether attributes may be computed, which those of a provider's configuration are not. Default: true. */
  readonly computed?: boolean;
  /** Number of levels of blocks and nested attributes inside each other. Default: 2. */
  readonly depth?: number;
  /** Least and greatest number of attributes of the outermost block. Default: 1 to 6. */
  readonly attributeCount?: readonly [least: number, greatest: number];
  /** Nestings of blocks. Default: all. */
  readonly blockNestings?: readonly NestedBlock["nesting"][];
  /** Whether list and set blocks may have a least and a greatest number of elements. Default: true. */
  readonly itemLimits?: boolean;
  /** Whether list and map blocks may have dynamic attributes, which terraform-plugin-framework refuses. Default: true. */
  readonly dynamicElements?: boolean;
  /** Whether types may be tuples, which terraform-plugin-framework lacks. Default: true. */
  readonly tuples?: boolean;
  /** Types of attributes in place of generated ones, now and then. Default: none. */
  readonly types?: readonly Type[];
}

/** {@link SchemaSettings} without limits. */
const defaults: Required<SchemaSettings> = {
  names: "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima rule part unit".split(" "),
  descriptions: [""],
  nestedAttributes: true,
  writeOnly: true,
  computed: true,
  depth: 2,
  attributeCount: [1, 6],
  blockNestings: ["single", "list", "set", "map", "group"],
  itemLimits: true,
  dynamicElements: true,
  tuples: true,
  types: [],
};

type CompleteSettings = Required<SchemaSettings>;

/** Where an attribute or block is, which limits it. */
interface Place {
  readonly depth: number;
  /** Whether nothing may be dynamic, because it is inside a set, a list or a map. */
  readonly inCollection: boolean;
  /** Whether nothing may be write-only, because it is inside a set or a computed attribute. */
  readonly refusesWriteOnly: boolean;
  /** Whether all attributes are computed or write-only, because the attribute around them is. */
  readonly only?: "computed" | "writeOnly";
}

/** Generates a schema of a resource type that follows the rules of the protocol. */
export function generateSchema(random: Random, settings: SchemaSettings = {}): Schema {
  const complete = { ...defaults, ...settings };
  const place = { depth: complete.depth, inCollection: false, refusesWriteOnly: !complete.writeOnly };
  const [least, greatest] = complete.attributeCount;
  return createSchema(generateBlockSchema(random, complete, place, least + random.int(greatest - least + 1)), random.int(3));
}

function generateBlockSchema(random: Random, settings: CompleteSettings, place: Place, attributeCount: number): Block {
  const named = naming(random, settings.names);
  const attributes = random.times(attributeCount, () => [named(), generateAttribute(random, settings, place)] as const);
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
  const nesting = random.pick(settings.blockNestings);
  const isRepeated = nesting === "list" || nesting === "map";
  const inner: Place = {
    ...place,
    depth: place.depth - 1,
    inCollection: place.inCollection || nesting === "set" || (isRepeated && !settings.dynamicElements),
    refusesWriteOnly: place.refusesWriteOnly || nesting === "set",
  };
  const block = generateBlockSchema(random, settings, inner, 1 + random.int(6));
  if (nesting === "group" || nesting === "map") return createNestedBlock(nesting, block);
  if (nesting === "single") return createNestedBlock(nesting, block, random.chance(0.2) ? { minItems: 1, maxItems: 1 } : {});
  if (!settings.itemLimits) return createNestedBlock(nesting, block);
  const minItems = random.chance(0.2) ? 1 : 0;
  return createNestedBlock(nesting, block, { minItems, maxItems: random.chance(0.3) ? 1 + random.int(3) : 0 });
}

type Mode = "optional" | "required" | "computed" | "optionalComputed";

function generateMode(random: Random, { computed }: CompleteSettings, { only }: Place): Mode {
  if (only === "computed") return "computed";
  const mayBeComputed = computed && only !== "writeOnly";
  return random.weighted<Mode>([
    [6, "optional"],
    [4, "required"],
    [mayBeComputed ? 3 : 0, "computed"],
    [mayBeComputed ? 3 : 0, "optionalComputed"],
  ]);
}

function generateAttribute(random: Random, settings: CompleteSettings, place: Place): Attribute {
  const mode = generateMode(random, settings, place);
  const isSettable = mode === "optional" || mode === "required";
  const writeOnly = place.only === "writeOnly" || (!place.refusesWriteOnly && isSettable && random.chance(0.06));
  const flags = {
    required: mode === "required",
    optional: mode === "optional" || mode === "optionalComputed",
    computed: mode === "computed" || mode === "optionalComputed",
    writeOnly,
    sensitive: random.chance(0.1),
    deprecated: random.chance(0.03),
    description: random.pick(settings.descriptions),
  };
  if (settings.nestedAttributes && place.depth > 0 && random.chance(0.2)) {
    return createAttribute({ ...flags, nested: generateNested(random, settings, place, flags) });
  }
  const { inCollection } = place;
  if (settings.types.length > 0 && !inCollection && !writeOnly && random.chance(0.1))
    return createAttribute({ ...flags, type: random.pick(settings.types) });
  const type = generateType(random, { depth: 2, dynamic: !inCollection, tuples: settings.tuples, sets: !writeOnly });
  return createAttribute({ ...flags, type });
}

/** Generates the attributes inside an attribute. Those in a write-only one are write-only, too. */
function generateNested(
  random: Random,
  settings: CompleteSettings,
  place: Place,
  { optional, computed, writeOnly }: Pick<Attribute, "optional" | "computed" | "writeOnly">,
): NestedAttributes {
  const nesting = random.pick(writeOnly ? (["single", "list", "map"] as const) : (["single", "list", "set", "map"] as const));
  const only = writeOnly ? "writeOnly" : computed && !optional ? "computed" : place.only;
  const inner: Place = {
    depth: place.depth - 1,
    inCollection: place.inCollection || nesting !== "single",
    refusesWriteOnly: place.refusesWriteOnly || nesting === "set" || computed,
    ...(only !== undefined && { only }),
  };
  const named = naming(random, settings.names);
  const attributes = random.times(1 + random.int(3), () => [named(), generateAttribute(random, settings, inner)] as const);
  return createNestedAttributes(nesting, Object.fromEntries(attributes));
}

/** What generated types have. */
export interface TypeSettings {
  /** Number of levels of collections, tuples and objects inside each other. */
  readonly depth: number;
  /** Whether the whole type may be dynamic. */
  readonly dynamic: boolean;
  /** Whether it may have tuples. Default: true. */
  readonly tuples?: boolean;
  /** Whether it may have sets, which write-only attributes must not have. Default: true. */
  readonly sets?: boolean;
}

/** Generates a type of an attribute: primitives, and collections and objects of those. */
export function generateType(random: Random, settings: TypeSettings): Type {
  const { depth, dynamic: mayBeDynamic, tuples = true, sets = true } = settings;
  const inner = (): Type => generateType(random, { ...settings, depth: depth - 1, dynamic: false });
  const deep = depth > 0 ? 1 : 0;
  return random.weighted<() => Type>([
    [6, () => string],
    [3, () => number],
    [2, () => bool],
    [2 * deep, () => list(inner())],
    [2 * deep, () => map(inner())],
    [sets ? deep : 0, () => set(inner())],
    [deep, () => object(Object.fromEntries(random.times(1 + random.int(2), (index) => [["x", "y"][index]!, inner()])))],
    [tuples ? deep : 0, () => tuple(inner(), inner())],
    [mayBeDynamic ? 1 : 0, () => dynamic],
  ])();
}
