// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";
import type { Attribute, Block, NestedBlock } from "./schema.ts";

/**
 * Returns the attribute at a path into a value of the block; undefined when the path ends at a block or an element, continues below an
 * attribute without nested attributes, or does not exist. Index steps are not checked.
 *
 * @see OpenTofu configschema Block.AttributeByPath
 */
export function attributeAt(block: Pick<Block, "attributes" | "blocks">, path: Path): Attribute | undefined {
  let attribute: Attribute | undefined;
  let attributes: Readonly<Record<string, Attribute>> = block.attributes;
  let blocks: Readonly<Record<string, NestedBlock>> = block.blocks;
  for (const step of path) {
    if (attribute && !attribute.nested) return undefined;
    if (step.kind === "index") {
      // An element of a nested attribute is not an attribute.
      attribute = undefined;
      continue;
    }
    const found = own(attributes, step.name);
    const nestedBlock = found ? undefined : own(blocks, step.name);
    if (found) {
      attribute = found;
      attributes = found.nested?.attributes ?? {};
      blocks = {};
    } else if (nestedBlock) {
      attribute = undefined;
      ({ attributes, blocks } = nestedBlock.block);
    } else {
      return undefined;
    }
  }
  return attribute;
}

function own<Item>(record: Readonly<Record<string, Item>>, name: string): Item | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
