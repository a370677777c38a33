// SPDX-License-Identifier: Apache-2.0
import { dynamic, hasDynamic, list, map, object, set, tuple, type Value } from "@tenon/cty";
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import { attributeType, impliedType, nestedBlockType } from "./implied-type.ts";
import type { Block, NestedBlock } from "./schema.ts";
import { objectOf } from "./value-parts.ts";

/**
 * What a configuration with nothing in it means: every attribute null, every list, set and map block empty, `single` blocks null
 * and `group` blocks empty themselves.
 *
 * @see OpenTofu configschema Block.EmptyValue
 */
export function emptyValue(block: Block): Value {
  return blockOf(block, (type) => valueOf(type, null), emptyNestedBlock);
}

/** What a block has under a nested block's name where none is written. */
export function emptyNestedBlock(nested: NestedBlock): Value {
  const type = impliedType(nested.block);
  switch (nested.nesting) {
    case "single":
      return valueOf(type, null);
    case "group":
      return emptyValue(nested.block);
    case "list":
      return hasDynamic(type) ? valueOf(tuple(), []) : valueOf(list(type), []);
    case "map":
      return hasDynamic(type) ? valueOf(object({}), []) : valueOf(map(type), new Map());
    default:
      return valueOf(set(type), []);
  }
}

/**
 * What a configuration of which nothing is known means: an object of unknown values.
 *
 * @see OpenTofu configschema Block.UnknownValue
 */
export function unknownValue(block: Block): Value {
  return blockOf(
    block,
    (type) => valueOf(type, UNKNOWN),
    (nested) => {
      const type = nestedBlockType(nested);
      return valueOf(hasDynamic(type) && nested.nesting !== "single" && nested.nesting !== "group" ? dynamic : type, UNKNOWN);
    },
  );
}

function blockOf(
  block: Block,
  attribute: (type: ReturnType<typeof attributeType>) => Value,
  nestedBlock: (nested: NestedBlock) => Value,
): Value {
  const parts = new Map<string, Value>();
  for (const name of Object.keys(block.attributes)) parts.set(name, attribute(attributeType(block.attributes[name]!)));
  for (const name of Object.keys(block.blocks)) parts.set(name, nestedBlock(block.blocks[name]!));
  return objectOf(parts, impliedType(block));
}
