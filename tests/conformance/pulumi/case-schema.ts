// SPDX-License-Identifier: Apache-2.0
import { decodeType } from "@tenon/cty/json";
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
import type { CaseAttribute, CaseBlock, CaseNestedBlock } from "./diff-case.ts";

/** Creates the schema of a case. A type without an attribute `id` gets one, as the legacy SDK adds it. */
export function caseSchema(block: CaseBlock): Schema {
  return createSchema(caseBlock(withId(block)));
}

/** Adds the attribute `id` where the case does not declare one. */
export function withId(block: CaseBlock): CaseBlock {
  return { ...block, attributes: { id: idAttribute, ...block.attributes } };
}

const idAttribute: CaseAttribute = { type: "string", computed: true, keeps: true, made: "1" };

function caseBlock({ attributes = {}, block_types: blocks = {} }: CaseBlock): Block {
  return createBlock({ attributes: mapEntries(attributes, caseAttribute), blocks: mapEntries(blocks, caseNestedBlock) });
}

function caseAttribute(attribute: CaseAttribute): Attribute {
  const { type, nested_type: nested, required, optional, computed, sensitive, write_only: writeOnly } = attribute;
  return createAttribute({
    ...(nested ? { nested: createNestedAttributes(nested.nesting_mode, mapEntries(nested.attributes, caseAttribute)) } : {}),
    ...(type === undefined ? {} : { type: decodeType(JSON.stringify(type)) }),
    required: required === true,
    optional: optional === true,
    computed: computed === true,
    sensitive: sensitive === true,
    writeOnly: writeOnly === true,
  });
}

function caseNestedBlock({ nesting_mode: nesting, block, min_items: minItems = 0, max_items: maxItems = 0 }: CaseNestedBlock): NestedBlock {
  return createNestedBlock(nesting, caseBlock(block), { minItems, maxItems });
}

function mapEntries<Item, Result>(
  entries: Readonly<Record<string, Item>>,
  convert: (item: Item) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(entries).map(([name, item]) => [name, convert(item)]));
}
