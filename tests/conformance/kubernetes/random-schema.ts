// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, map, number, object, string, tuple } from "@tenon/cty";
import { createProvider } from "@tenon/provider-sdk";
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
import type { Random } from "@tenon/testing/generate";
import { makeProvider } from "../provider/generate/schema.ts";
import { madeProvider } from "../provider/made-provider.ts";

/** Generates the schemas of resource types by name: those of the generator for providers, with more unusual names, blocks and types. */
export async function randomSchemas(random: Random, count: number): Promise<ReadonlyMap<string, Schema>> {
  await using provider = createProvider(madeProvider(makeProvider(random, { resources: count, dataSources: 0 })));
  const { resources } = await provider.getProviderSchema({});
  return new Map([...resources].map(([name, schema]) => [name, createSchema(unusualBlock(random, schema.block, 0), schema.version)]));
}

/** Names that are reserved somewhere, that no rule can select, or that have the same field name as another. */
const unusualNames: readonly string[] = [
  ..."in true null namespace for import self has int matches kind metadata api_version status spec name password_secret_ref".split(" "),
  ..."3x x_1 x1 a_b a__b aB A_B _x x_ a-b constructor __proto__ to_string n.m".split(" "),
];

function unusualBlock(random: Random, block: Block, depth: number): Block {
  const name = unusualNaming(random);
  const attributes = Object.entries(block.attributes).map(([key, attribute]) => [name(key), unusualAttribute(random, attribute)] as const);
  const blocks = Object.entries(block.blocks).map(([key, nested]) => [name(key), unusualNestedBlock(random, nested, depth)] as const);
  if (random.chance(0.2)) attributes.push([name("more"), unusualType(random)]);
  return createBlock({
    ...block,
    description: random.chance(0.1) ? "Some: text — with “characters”.\n\nAnd more." : block.description,
    attributes: record(attributes),
    blocks: record(blocks),
  });
}

/** Renames some of the attributes and blocks of one block; no two get one name. */
function unusualNaming(random: Random): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const chosen = random.chance(0.15) ? random.pick(unusualNames) : name;
    const unique = taken.has(chosen) ? name : chosen;
    taken.add(unique);
    return unique;
  };
}

function unusualAttribute(random: Random, attribute: Attribute): Attribute {
  const { nested } = attribute;
  const description = random.chance(0.3)
    ? random.pick(["One sentence. Another one.", "- yes\n- no", "`code`: #1", ""])
    : attribute.description;
  if (nested === undefined) return { ...attribute, description };
  const name = unusualNaming(random);
  const children = Object.entries(nested.attributes).map(([key, child]) => [name(key), unusualAttribute(random, child)] as const);
  return { ...attribute, description, nested: createNestedAttributes(nested.nesting, record(children)) };
}

function unusualNestedBlock(random: Random, nested: NestedBlock, depth: number): NestedBlock {
  const block = unusualBlock(random, nested.block, depth + 1);
  if (nested.nesting === "single") return random.chance(0.3) ? createNestedBlock("group", block) : { ...nested, block };
  const nesting = nested.nesting === "list" && random.chance(0.3) ? "map" : nested.nesting;
  const minItems = random.chance(0.2) ? 1 : 0;
  const maxItems = random.chance(0.3) ? 1 + random.int(3) : 0;
  return createNestedBlock(nesting, block, nesting === "map" ? {} : { minItems, maxItems });
}

/** An attribute of a type that the generator for providers does not have. */
function unusualType(random: Random): Attribute {
  const type = random.pick([
    tuple(string, number),
    list(tuple(string)),
    list(object({ a_b: string, a__b: number })),
    map(list(map(string))),
    object({ any: dynamic }),
    dynamic,
  ]);
  const isRequired = random.chance(0.5);
  return createAttribute({ type, required: isRequired, optional: !isRequired });
}

function record<Item>(entries: readonly (readonly [string, Item])[]): Readonly<Record<string, Item>> {
  return Object.fromEntries(entries);
}
