// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, NestedAttributes, NestedBlock, Schema } from "./schema.ts";

/** Creates an attribute. Fields that are left out are false or empty. */
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

/** Creates the attributes of a nested attribute, sorted by name. */
export function createNestedAttributes(
  nesting: NestedAttributes["nesting"],
  attributes: Readonly<Record<string, Attribute>>,
): NestedAttributes {
  return { nesting, attributes: sorted(attributes) };
}

/** Creates a block with attributes and nested blocks sorted by name. Fields that are left out are empty. */
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

/** Creates a nested block. Default: no limits. */
export function createNestedBlock(
  nesting: NestedBlock["nesting"],
  block: Partial<Block>,
  limits: Partial<Pick<NestedBlock, "minItems" | "maxItems">> = {},
): NestedBlock {
  return { nesting, block: createBlock(block), minItems: limits.minItems ?? 0, maxItems: limits.maxItems ?? 0 };
}

/** Creates a schema. Default: version 0. */
export function createSchema(block: Partial<Block>, version = 0): Schema {
  return { version, block: createBlock(block) };
}

function sorted<Item>(record: Readonly<Record<string, Item>>): Readonly<Record<string, Item>> {
  const result = Object.create(null) as Record<string, Item>;
  // Valid names are ASCII, where UTF-16 order is code point order.
  for (const name of Object.keys(record).toSorted()) result[name] = record[name]!;
  return result;
}
