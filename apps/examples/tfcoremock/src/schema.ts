// SPDX-License-Identifier: Apache-2.0
import { attr, block, nested, type AnyType, type Schema } from "@tenon/provider-sdk";
import type { Entry } from "@tenon/provider-sdk/definition";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { elementOf, type AttributeDeclaration, type BlockDeclaration, type ResourceDeclaration } from "./declaration.ts";

/** What the schema is for. All attributes of a data source are computed. */
export type Purpose = "resource" | "dataSource";

/** Creates the schema of a declared resource type. Its names and types are not known to the compiler. */
export function schemaOf({ attributes = {}, blocks = {} }: ResourceDeclaration, purpose: Purpose): Schema {
  const entries: Record<string, Entry> = {};
  for (const [name, declared] of Object.entries(attributes)) entries[name] = attributeOf(declared, purpose);
  for (const [name, declared] of Object.entries(blocks)) entries[name] = blockOf(declared, purpose);
  return entries;
}

function blockOf(declared: BlockDeclaration, purpose: Purpose): Entry {
  const body = schemaOf(declared, purpose);
  return declared.mode === "set" ? block.set(body) : block.list(body);
}

function attributeOf(declared: AttributeDeclaration, purpose: Purpose): Entry {
  const options = optionsOf(declared, purpose);
  if (declared.skip_nested_metadata !== true) {
    if (declared.type === "object") return nestedOf("single", declared, purpose, options);
    if (declared.type === "list" || declared.type === "set" || declared.type === "map") {
      const element = elementOf(declared);
      if (element.type === "object") return nestedOf(declared.type, element, purpose, options);
    }
  }
  return typeOf(declared, options) as unknown as Entry;
}

function nestedOf(
  nesting: "single" | "list" | "set" | "map",
  { object = {} }: AttributeDeclaration,
  purpose: Purpose,
  options: object,
): Entry {
  const make = nested[nesting] as unknown as (attributes: Schema, options: object) => Entry;
  return make(schemaOf({ attributes: object }, purpose), options);
}

function optionsOf({ optional, required, computed, sensitive, replace }: AttributeDeclaration, purpose: Purpose): object {
  const secret = sensitive === true ? { sensitive } : {};
  if (purpose === "dataSource") return { computed: true, nullable: true, ...secret };
  return {
    ...(required === true && { required }),
    ...(optional === true && { optional }),
    ...(computed === true && { computed, nullable: true }),
    ...secret,
    planModifiers: [...(computed === true ? [useStateForUnknown()] : []), ...(replace === true ? [requiresReplace()] : [])],
  };
}

/** The type of an attribute with its options, or of an element. */
function typeOf(declared: AttributeDeclaration, options: object): AnyType {
  switch (declared.type) {
    case "boolean":
      return attr.bool(options);
    case "string":
      return attr.string(options);
    case "integer":
      return attr.bigint(options);
    case "float":
    case "number":
      return attr.decimal(options);
    case "list":
      return attr.list(typeOf(elementOf(declared), { nullable: true }), options);
    case "set":
      return attr.set(typeOf(elementOf(declared), { nullable: true }), options);
    case "map":
      return attr.map(typeOf(elementOf(declared), { nullable: true }), options);
    case "object": {
      const members = Object.entries(declared.object ?? {}).map(([name, member]) => [name, typeOf(member, { nullable: true })] as const);
      return attr.object(Object.fromEntries(members), options);
    }
    default:
      throw new Error(`there is no attribute type ${JSON.stringify(declared.type)}`);
  }
}
