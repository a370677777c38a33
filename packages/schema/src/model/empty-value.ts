// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, list, map, object, set, tuple, type Type, type Value } from "@tenon/cty";
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import { attributeType, impliedType } from "./implied-type.ts";
import type { Block, NestedBlock } from "./schema.ts";
import { objectOf } from "./value-parts.ts";

/**
 * Returns the value of an empty configuration: every attribute is null, every list, set and map block is empty, a `single` block is null
 * and a `group` block is empty itself.
 *
 * @see OpenTofu configschema Block.EmptyValue
 */
export function emptyValue(block: Block): Value {
  let value = emptyValues.get(block);
  if (value === undefined) emptyValues.set(block, (value = blockOf(block, (type) => valueOf(type, null), emptyNestedBlock)));
  return value;
}

/** The empty value of each block: each plan of a new object starts with it. */
const emptyValues = new WeakMap<Block, Value>();

/** Returns the value of a nested block that is not configured. */
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
 * Returns the value of an unknown block: an object whose attributes and nested blocks are unknown.
 *
 * An unknown list or map block that contains a dynamic attribute is an unknown list or map, although a known one is a tuple or an
 * object: the cores do the same.
 *
 * @see OpenTofu configschema Block.UnknownValue
 */
export function unknownBlockValue(block: Block): Value {
  return blockOf(
    block,
    (type) => valueOf(type, UNKNOWN),
    (nested) => valueOf(collectionType(nested), UNKNOWN),
  );
}

/** Returns the type that a nested block's values would have if none of its attributes were dynamic. */
function collectionType(nested: NestedBlock): Type {
  const type = impliedType(nested.block);
  switch (nested.nesting) {
    case "single":
    case "group":
      return type;
    case "list":
      return list(type);
    case "map":
      return map(type);
    default:
      return set(type);
  }
}

function blockOf(block: Block, attribute: (type: Type) => Value, nestedBlock: (nested: NestedBlock) => Value): Value {
  const parts = new Map<string, Value>();
  for (const name of Object.keys(block.attributes)) parts.set(name, attribute(attributeType(block.attributes[name]!)));
  for (const name of Object.keys(block.blocks)) parts.set(name, nestedBlock(block.blocks[name]!));
  return objectOf(parts, impliedType(block));
}
