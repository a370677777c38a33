// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, number, object, set, string, type Type } from "@tenon/cty";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock, type Attribute, type Block } from "@tenon/schema";
import {
  isComputed,
  isRequired,
  isWriteOnly,
  type AttributeDeclaration,
  type SchemaDeclaration,
  type TypeDeclaration,
} from "../declaration.ts";

/** Returns the schema of a declaration as a core knows it; a single block that the provider requires is required in the schema, too. */
export function declaredBlock({ attributes, blocks = {} }: SchemaDeclaration): Block {
  return createBlock({
    attributes: declaredAttributes(attributes),
    blocks: Object.fromEntries(
      Object.entries(blocks).map(([name, { nesting, body, required }]) => [
        name,
        createNestedBlock(nesting, declaredBlock(body), required === true ? { minItems: 1, maxItems: 1 } : {}),
      ]),
    ),
  });
}

function declaredAttributes(attributes: SchemaDeclaration["attributes"]): Readonly<Record<string, Attribute>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, declared]) => [name, declaredAttribute(declared)]));
}

function declaredAttribute(declared: AttributeDeclaration): Attribute {
  const flags = {
    required: isRequired(declared),
    optional: !isRequired(declared) && declared.mode !== "computed",
    computed: isComputed(declared),
    writeOnly: isWriteOnly(declared),
  };
  return declared.kind === "nested"
    ? createAttribute({ ...flags, nested: createNestedAttributes(declared.nesting, declaredAttributes(declared.body.attributes)) })
    : createAttribute({ ...flags, type: declaredType(declared) });
}

function declaredType(declared: TypeDeclaration): Type {
  switch (declared.kind) {
    case "string":
    case "caseless":
      return string;
    case "bool":
      return bool;
    case "dynamic":
      return dynamic;
    case "list":
      return list(declaredType(declared.element));
    case "set":
      return set(declaredType(declared.element));
    case "map":
      return map(declaredType(declared.element));
    case "object":
      return object(Object.fromEntries(Object.entries(declared.members).map(([name, member]) => [name, declaredType(member)])));
    default:
      return number;
  }
}
