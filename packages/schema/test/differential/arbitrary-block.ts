// SPDX-License-Identifier: Apache-2.0
import { bool, list, map, number, object, set, string, tuple, type Type, type Value } from "@tenon/cty";
import { setPayload, UNKNOWN, UNKNOWN_NOT_NULL, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "../../src/model/create-schema.ts";
import { attributeType, impliedType, nestedObjectType } from "../../src/model/implied-type.ts";
import type { Attribute, Block, NestedBlock } from "../../src/model/schema.ts";

// Random blocks and values of them, repeatable from a seed. They use few, short words, so that values often agree in part.

/** Returns the next number from 0 up to 1 of a sequence that a seed determines. */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

const names = ["a", "id", "k", "name", "z"];
const words = ["", "x", "y", "long text", "one\ntwo", "one\nthree", '{"a":1,"b":[1,2]}', '{"a":2,"b":[1,2,3]}', "[]", 'quoted "é"'];

export function randomBlock(random: Random, depth = 2): Block {
  const attributes: Record<string, Attribute> = {};
  for (const name of names) if (random() < 0.6) attributes[name] = randomAttribute(random, depth, false);
  const blocks: Record<string, NestedBlock> = {};
  for (const name of ["b", "c"]) {
    if (depth > 0 && random() < 0.5)
      blocks[name] = createNestedBlock(pick(random, ["single", "group", "list", "set", "map"] as const), randomBlock(random, depth - 1));
  }
  return createBlock({ attributes, blocks });
}

function randomAttribute(random: Random, depth: number, isNested: boolean): Attribute {
  const kind = pick(random, ["required", "optional", "optional", "computed", "both"] as const);
  // OpenTofu renders write-only attributes inside nested attributes in the random order of its maps.
  const writeOnly = !isNested && kind === "optional" && random() < 0.1;
  const common = {
    required: kind === "required",
    optional: kind === "optional" || kind === "both",
    computed: kind === "computed" || kind === "both",
    sensitive: random() < 0.08,
    writeOnly,
  };
  if (depth === 0 || writeOnly || random() < 0.6) return createAttribute({ ...common, type: randomType(random, 1) });
  const nesting = pick(random, ["single", "list", "set", "map"] as const);
  const attributes: Record<string, Attribute> = {};
  for (const name of names) if (random() < 0.5) attributes[name] = randomAttribute(random, depth - 1, true);
  if (Object.keys(attributes).length === 0) attributes["a"] = createAttribute({ optional: true, type: string });
  return createAttribute({ ...common, nested: createNestedAttributes(nesting, attributes) });
}

function randomType(random: Random, depth: number): Type {
  const roll = random();
  if (depth === 0 || roll < 0.6) return pick(random, [string, string, string, number, bool]);
  const inner = randomType(random, depth - 1);
  if (roll < 0.7) return list(inner);
  if (roll < 0.8) return set(inner);
  if (roll < 0.9) return map(inner);
  return roll < 0.95 ? object({ a: inner, id: string }) : tuple(inner, string);
}

/** Restrictions on a random value. */
export interface ValueKind {
  /** Probability that a part is unknown, from 0 to 1. */
  readonly unknown: number;
  /** Whether the value is a configuration: attributes that are only computed are null. */
  readonly config: boolean;
}

export function randomBlockValue(random: Random, block: Block, kind: ValueKind): Value {
  const type = impliedType(block);
  return valueOf(
    type,
    type.names.map((name) => {
      const attribute = block.attributes[name];
      return attribute ? attributePayload(random, attribute, kind) : blockPayload(random, block.blocks[name]!, kind);
    }),
  );
}

function attributePayload(random: Random, attribute: Attribute, kind: ValueKind): Payload {
  const { nested, computed, optional } = attribute;
  if (attribute.writeOnly && !kind.config) return null;
  if (kind.config && ((computed && !optional) || (!attribute.required && random() < 0.4))) return null;
  if (!kind.config && random() < 0.2) return null;
  if (random() < kind.unknown) return random() < 0.7 ? UNKNOWN : UNKNOWN_NOT_NULL;
  if (!nested) return typePayload(random, attributeType(attribute), kind);
  const type = nestedObjectType(nested);
  return repeated(random, nested.nesting, type, () => type.names.map((name) => attributePayload(random, nested.attributes[name]!, kind)));
}

function blockPayload(random: Random, nested: NestedBlock, kind: ValueKind): Payload {
  const one = (): Payload => randomBlockValue(random, nested.block, kind).payload;
  if (nested.nesting === "single") return random() < 0.3 ? null : one();
  if (nested.nesting === "group") return one();
  if (kind.config && random() < kind.unknown / 2) return UNKNOWN;
  return repeated(random, nested.nesting, impliedType(nested.block), one);
}

function repeated(random: Random, nesting: string, elementType: Type, one: () => Payload): Payload {
  if (nesting === "single") return one();
  const count = Math.floor(random() * 4);
  if (nesting === "map") return new Map(["k1", "k2", "k3"].slice(0, count).map((key) => [key, one()]));
  const elements = Array.from({ length: count }, one);
  return nesting === "set" ? setPayload(elementType, elements) : elements;
}

/** Returns a random payload of the type. */
export function typePayload(random: Random, type: Type, kind: ValueKind): Payload {
  if (random() < kind.unknown) return UNKNOWN;
  switch (type.kind) {
    case "string":
      return pick(random, words);
    case "number":
      return pick(random, [0, 1, 2, 2.5, 1e9]);
    case "bool":
      return random() < 0.5;
    case "list":
    case "set":
    case "map":
      return repeated(random, type.kind, type.element, () => typePayload(random, type.element, kind));
    case "tuple":
      return type.elements.map((element) => typePayload(random, element, kind));
    case "object":
      return type.names.map((name) => typePayload(random, type.attributes[name]!, kind));
    default:
      return null;
  }
}

/** Returns the value with random parts replaced by those of `source`, because most values that the cores compare are related. */
export function mutated(random: Random, value: Value, source: Value, chance: number): Value {
  return valueOf(value.type, mutatedPayload(random, value.type, value.payload, source.payload, chance));
}

function mutatedPayload(random: Random, type: Type, payload: Payload, source: Payload, chance: number): Payload {
  if (random() < chance) return source;
  if (type.kind === "object" && Array.isArray(payload) && Array.isArray(source)) {
    return type.names.map((name, slot) =>
      mutatedPayload(random, type.attributes[name]!, payload[slot] as Payload, source[slot] as Payload, chance),
    );
  }
  if ((type.kind === "list" || type.kind === "set") && Array.isArray(payload) && Array.isArray(source)) {
    const elements = payload.map((element: Payload, index) =>
      index < source.length ? mutatedPayload(random, type.element, element, source[index] as Payload, chance) : element,
    );
    return type.kind === "set" ? setPayload(type.element, elements) : elements;
  }
  return payload;
}
