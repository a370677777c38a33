// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, NestedAttributeMode, NestedAttributes, NestedBlock, NestedBlockMode, Schema } from "../../model/schema.ts";
import { createSchema } from "../../model/create-schema.ts";
import { readInteger, writeInteger } from "../kind/scalar.ts";
import { byName, inOrder } from "./by-name.ts";
import { readDescriptionKind, writeDescriptionKind } from "./description-kind.ts";
import { readType, writeType } from "./type.ts";

/** Schema to read. */
export interface SchemaWire {
  readonly version: bigint;
  readonly block?: BlockWire | undefined;
}

/** Block to read. */
export interface BlockWire {
  readonly attributes: readonly AttributeWire[];
  readonly blockTypes: readonly NestedBlockWire[];
  readonly description: string;
  readonly descriptionKind: number;
  readonly deprecated: boolean;
  readonly deprecationMessage: string;
}

/** Attribute to read. */
export interface AttributeWire {
  readonly name: string;
  readonly type: Uint8Array;
  /** Absent in protocol 5. */
  readonly nestedType?: NestedAttributesWire | undefined;
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly descriptionKind: number;
  readonly deprecated: boolean;
  readonly writeOnly: boolean;
  readonly deprecationMessage: string;
}

/** Nested attributes to read. */
export interface NestedAttributesWire {
  readonly attributes: readonly AttributeWire[];
  readonly nesting: number;
}

/** Nested block to read. */
export interface NestedBlockWire {
  readonly typeName: string;
  readonly block?: BlockWire | undefined;
  readonly nesting: number;
  readonly minItems: bigint;
  readonly maxItems: bigint;
}

/** Schema to write. */
export type SchemaInit = { version: bigint; block: BlockInit };
type BlockInit = {
  attributes: AttributeInit[];
  blockTypes: NestedBlockInit[];
  description: string;
  descriptionKind: 0 | 1;
  deprecated: boolean;
  deprecationMessage: string;
};
type AttributeInit = {
  name: string;
  type?: Uint8Array;
  nestedType?: { attributes: AttributeInit[]; nesting: 1 | 2 | 3 | 4 };
  description: string;
  required: boolean;
  optional: boolean;
  computed: boolean;
  sensitive: boolean;
  descriptionKind: 0 | 1;
  deprecated: boolean;
  writeOnly: boolean;
  deprecationMessage: string;
};
type NestedBlockInit = { typeName: string; block: BlockInit; nesting: 1 | 2 | 3 | 4 | 5; minItems: bigint; maxItems: bigint };

/** Nesting modes in the order of the protocol's numbers, which start at 1. */
const attributeModes: readonly NestedAttributeMode[] = ["single", "list", "set", "map"];
const blockModes: readonly NestedBlockMode[] = ["single", "list", "set", "map", "group"];

/** Reads a schema. A schema without a block is empty. */
export function readSchema(wire: SchemaWire): Schema {
  return { version: readInteger(wire.version), block: wire.block === undefined ? emptyBlock : readBlock(wire.block) };
}

/** Writes a schema. */
export function writeSchema(model: Schema): SchemaInit {
  return { version: writeInteger(model.version), block: writeBlock(model.block) };
}

/** Empty schema. */
export const emptySchema: Schema = createSchema({});
const emptyBlock = emptySchema.block;

function readBlock(wire: BlockWire): Block {
  return {
    attributes: readAttributes(wire.attributes),
    blocks: byName(wire.blockTypes, (nested) => nested.typeName, readNestedBlock),
    description: wire.description,
    descriptionKind: readDescriptionKind(wire.descriptionKind),
    deprecated: wire.deprecated,
    deprecationMessage: wire.deprecationMessage,
  };
}

function writeBlock(model: Block): BlockInit {
  return {
    attributes: writeAttributes(model.attributes),
    blockTypes: inOrder(model.blocks, (typeName, nested) => ({
      typeName,
      block: writeBlock(nested.block),
      nesting: (blockModes.indexOf(nested.nesting) + 1) as 1 | 2 | 3 | 4 | 5,
      minItems: writeInteger(nested.minItems),
      maxItems: writeInteger(nested.maxItems),
    })),
    description: model.description,
    descriptionKind: writeDescriptionKind(model.descriptionKind),
    deprecated: model.deprecated,
    deprecationMessage: model.deprecationMessage,
  };
}

function readNestedBlock(wire: NestedBlockWire): NestedBlock {
  return {
    nesting: modeOf(blockModes, wire.nesting),
    block: wire.block === undefined ? emptyBlock : readBlock(wire.block),
    minItems: readInteger(wire.minItems),
    maxItems: readInteger(wire.maxItems),
  };
}

function readAttributes(wire: readonly AttributeWire[]): Readonly<Record<string, Attribute>> {
  return byName(wire, (attribute) => attribute.name, readAttribute);
}

function readAttribute(wire: AttributeWire): Attribute {
  return {
    ...(wire.nestedType === undefined ? { type: readType(wire.type) } : { nested: readNestedAttributes(wire.nestedType) }),
    required: wire.required,
    optional: wire.optional,
    computed: wire.computed,
    sensitive: wire.sensitive,
    writeOnly: wire.writeOnly,
    description: wire.description,
    descriptionKind: readDescriptionKind(wire.descriptionKind),
    deprecated: wire.deprecated,
    deprecationMessage: wire.deprecationMessage,
  };
}

function readNestedAttributes(wire: NonNullable<AttributeWire["nestedType"]>): NestedAttributes {
  return { nesting: modeOf(attributeModes, wire.nesting), attributes: readAttributes(wire.attributes) };
}

function writeAttributes(attributes: Readonly<Record<string, Attribute>>): AttributeInit[] {
  return inOrder(attributes, (name, attribute) => ({
    name,
    ...(attribute.type === undefined ? {} : { type: writeType(attribute.type) }),
    ...(attribute.nested === undefined ? {} : { nestedType: writeNestedAttributes(attribute.nested) }),
    required: attribute.required,
    optional: attribute.optional,
    computed: attribute.computed,
    sensitive: attribute.sensitive,
    writeOnly: attribute.writeOnly,
    description: attribute.description,
    descriptionKind: writeDescriptionKind(attribute.descriptionKind),
    deprecated: attribute.deprecated,
    deprecationMessage: attribute.deprecationMessage,
  }));
}

function writeNestedAttributes(model: NestedAttributes): NonNullable<AttributeInit["nestedType"]> {
  return { attributes: writeAttributes(model.attributes), nesting: (attributeModes.indexOf(model.nesting) + 1) as 1 | 2 | 3 | 4 };
}

function modeOf<Mode>(modes: readonly Mode[], wire: number): Mode {
  const mode = modes[wire - 1];
  if (mode === undefined) throw new RangeError(`${wire} is not a nesting mode`);
  return mode;
}
