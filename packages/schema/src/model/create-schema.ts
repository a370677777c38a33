// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, NestedAttributes, NestedBlock, Schema } from "./schema.ts";

/** An attribute, with what is left out false or empty. */
export function createAttribute(parts: Partial<Attribute>): Attribute {
  return {
    required: false,
    optional: false,
    computed: false,
    sensitive: false,
    writeOnly: false,
    description: "",
    descriptionKind: "plain",
    deprecated: false,
    deprecationMessage: "",
    ...parts,
  };
}

/** What a nested attribute consists of, sorted by name. */
export function createNestedAttributes(
  nesting: NestedAttributes["nesting"],
  attributes: Readonly<Record<string, Attribute>>,
): NestedAttributes {
  return { nesting, attributes: sorted(attributes) };
}

/** A block, sorted by name, with what is left out empty. */
export function createBlock(parts: Partial<Block>): Block {
  return {
    description: "",
    descriptionKind: "plain",
    deprecated: false,
    deprecationMessage: "",
    ...parts,
    attributes: sorted(parts.attributes ?? {}),
    blocks: sorted(parts.blocks ?? {}),
  };
}

/** A nested block, without limits unless they are given. */
export function createNestedBlock(
  nesting: NestedBlock["nesting"],
  block: Partial<Block>,
  limits: Partial<Pick<NestedBlock, "minItems" | "maxItems">> = {},
): NestedBlock {
  return { nesting, block: createBlock(block), minItems: limits.minItems ?? 0, maxItems: limits.maxItems ?? 0 };
}

/** A schema of version 0, unless another is given. */
export function createSchema(block: Partial<Block>, version = 0): Schema {
  return { version, block: createBlock(block) };
}

function sorted<Item>(record: Readonly<Record<string, Item>>): Readonly<Record<string, Item>> {
  const result = Object.create(null) as Record<string, Item>;
  // Valid names are ASCII, where UTF-16 order is code point order.
  for (const name of Object.keys(record).toSorted()) result[name] = record[name]!;
  return result;
}
