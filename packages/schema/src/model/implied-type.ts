// SPDX-License-Identifier: Apache-2.0
import {
  dynamic,
  hasDynamic,
  list,
  map,
  object,
  optional,
  set,
  withoutOptionalAttributes,
  type ObjectType,
  type OptionalAttribute,
  type Type,
} from "@tenon/cty";
import type { Attribute, Block, NestedAttributes, NestedBlock } from "./schema.ts";

const impliedTypes = new WeakMap<Block, ObjectType>();
const configTypes = new WeakMap<Block, ObjectType>();

/**
 * Returns the type of a block's values in messages and states. Computed once for each block.
 *
 * A list or map block that contains a dynamic attribute has the type `dynamic`: its values are tuples and objects, because their
 * elements may have different types. Optional attributes in the type of an attribute are ordinary attributes here.
 *
 * @see OpenTofu configschema Block.ImpliedType
 */
export function impliedType(block: Block): ObjectType {
  return remembered(impliedTypes, block, () => blockType(block, attributeType, impliedType));
}

/**
 * Returns the type that a configuration of the block is converted to: {@link impliedType} with optional attributes. These are the
 * optional attributes in the type of an attribute, and the attributes of a nested attribute that are not required.
 *
 * @see OpenTofu configschema Object.SpecType
 */
export function configType(block: Block): ObjectType {
  return remembered(configTypes, block, () => blockType(block, attributeConfigType, configType));
}

/** Returns the type of an attribute's values. */
export function attributeType(attribute: Attribute): Type {
  return attribute.nested ? nestedAttributesType(attribute.nested) : withoutOptionalAttributes(attribute.type ?? dynamic);
}

/** Returns the type of a nested attribute's values, including the nesting. */
export function nestedAttributesType(nested: NestedAttributes): Type {
  return inNesting(nested, nestedObjectType(nested));
}

/** Returns the type of one object of a nested attribute. */
export function nestedObjectType(nested: NestedAttributes): ObjectType {
  return object(mapRecord(nested.attributes, attributeType));
}

/** Returns the type of a nested block's values, including the nesting. */
export function nestedBlockType(nested: NestedBlock): Type {
  return inBlockNesting(nested, impliedType(nested.block));
}

function blockType(block: Block, ofAttribute: (attribute: Attribute) => Type, ofBlock: (block: Block) => ObjectType): ObjectType {
  return object({
    ...mapRecord(block.blocks, (nested) => inBlockNesting(nested, ofBlock(nested.block))),
    ...mapRecord(block.attributes, ofAttribute),
  });
}

function attributeConfigType(attribute: Attribute): Type {
  const { nested } = attribute;
  if (!nested) return attribute.type ?? dynamic;
  const attributes = mapRecord(nested.attributes, (child): Type | OptionalAttribute => {
    const type = attributeConfigType(child);
    return child.optional || child.computed ? optional(type) : type;
  });
  return inNesting(nested, object(attributes));
}

function inNesting(nested: NestedAttributes, type: ObjectType): Type {
  switch (nested.nesting) {
    case "single":
      return type;
    case "list":
      return list(type);
    case "set":
      return set(type);
    default:
      return map(type);
  }
}

function inBlockNesting(nested: NestedBlock, type: ObjectType): Type {
  switch (nested.nesting) {
    case "single":
    case "group":
      return type;
    case "list":
      return hasDynamic(type) ? dynamic : list(type);
    case "set":
      return set(type);
    default:
      return hasDynamic(type) ? dynamic : map(type);
  }
}

function mapRecord<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  const result = Object.create(null) as Record<string, To>;
  for (const name of Object.keys(record)) result[name] = change(record[name]!);
  return result;
}

function remembered<Key extends object, Result>(cache: WeakMap<Key, Result>, key: Key, compute: () => Result): Result {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const result = compute();
  cache.set(key, result);
  return result;
}
