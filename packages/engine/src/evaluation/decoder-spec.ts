// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, object, type Type } from "@tenon/cty";
import type { AmbiguousSchema, ObjectSpec, Spec } from "@tenon/hcl/decode";
import { attributeType, configType, emptyValue, type Attribute, type Block, type NestedBlock } from "@tenon/schema";

const specs = new WeakMap<Block, ObjectSpec>();
const emptyObject = object({});
const ambiguousSchemas = new WeakMap<Block, AmbiguousSchema>();

/** The spec that decodes a body to a value of a schema's implied type. @see OpenTofu configschema Block.DecoderSpec */
export function decoderSpec(block: Block): ObjectSpec {
  let spec = specs.get(block);
  if (spec === undefined) specs.set(block, (spec = { kind: "object", specs: specsOf(block) }));
  return spec;
}

function specsOf(block: Block): Record<string, Spec> {
  const types = configType(block).attributes;
  const result = Object.create(null) as Record<string, Spec>;
  for (const [name, attribute] of Object.entries(block.attributes)) result[name] = attributeSpec(name, attribute, types[name]!);
  for (const [name, nested] of Object.entries(block.blocks)) result[name] ??= blockSpec(name, nested);
  return result;
}

function attributeSpec(name: string, { required }: Attribute, type: Type): Spec {
  return { kind: "attribute", name, type, required };
}

function blockSpec(type: string, { nesting, block, minItems, maxItems }: NestedBlock): Spec {
  const nested = decoderSpec(block);
  const isOpen = hasDynamic(configType(block));
  switch (nesting) {
    case "single":
      return { kind: "block", type, nested, required: minItems === 1 };
    case "group": {
      const primary: Spec = { kind: "block", type, nested, required: minItems === 1 };
      return { kind: "default", primary, default: { kind: "literal", value: emptyValue(block) } };
    }
    case "list":
      return { kind: isOpen ? "blockTuple" : "blockList", type, nested, min: minItems, max: maxItems };
    case "set":
      return { kind: "blockSet", type, nested, min: minItems, max: maxItems };
    default:
      return { kind: isOpen ? "blockObject" : "blockMap", type, nested, labels: ["key"] };
  }
}

/**
 * The types that determine whether a name in the configuration of a legacy SDK provider is an attribute or a block. An attribute with nested
 * attributes has the type of an object, because the legacy SDK has neither.
 */
export function ambiguousSchema(block: Block): AmbiguousSchema {
  let schema = ambiguousSchemas.get(block);
  if (schema === undefined) {
    const attributes = Object.fromEntries(
      Object.entries(block.attributes).map(([name, one]) => [name, one.nested ? emptyObject : attributeType(one)]),
    );
    const blocks = Object.fromEntries(Object.entries(block.blocks).map(([name, one]) => [name, ambiguousSchema(one.block)]));
    ambiguousSchemas.set(block, (schema = { attributes, blocks }));
  }
  return schema;
}
