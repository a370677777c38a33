// SPDX-License-Identifier: Apache-2.0
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { AttributeWire, BlockWire, NestedAttributesWire, NestedBlockWire, SchemaWire } from "./block.ts";

// protobuf-es looks up every field of a message in its descriptor. A large provider has tens of thousands of attributes.

type Mutable<Wire> = { -readonly [Field in keyof Wire]: Wire[Field] extends readonly (infer Item)[] ? Item[] : Wire[Field] };

/** Decodes a schema of a protocol version. @throws Error for malformed bytes */
export function decodeSchema(bytes: Uint8Array, version: 5 | 6): SchemaWire {
  return readSchema(new BinaryReader(bytes), bytes.length, version);
}

function readSchema(reader: BinaryReader, end: number, version: 5 | 6): SchemaWire {
  const schema: Mutable<SchemaWire> = { version: 0n, block: undefined };
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) schema.version = integer(reader);
    else if (tag >>> 3 === 2) schema.block = readBlock(reader, endOf(reader), version, schema.block as Mutable<BlockWire> | undefined);
    else skip(reader, tag);
  }
  return schema;
}

/** @param block - An earlier value of the field, which this one is merged into. */
function readBlock(reader: BinaryReader, end: number, version: 5 | 6, block: Mutable<BlockWire> = emptyBlock()): BlockWire {
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag >>> 3) {
      case 2:
        block.attributes.push(readAttribute(reader, endOf(reader), version));
        break;
      case 3:
        block.blockTypes.push(readNestedBlock(reader, endOf(reader), version));
        break;
      case 4:
        block.description = reader.string(true);
        break;
      case 5:
        block.descriptionKind = reader.int32();
        break;
      case 6:
        block.deprecated = reader.bool();
        break;
      case 7:
        block.deprecationMessage = reader.string(true);
        break;
      default:
        skip(reader, tag);
    }
  }
  return block;
}

function emptyBlock(): Mutable<BlockWire> {
  return { attributes: [], blockTypes: [], description: "", descriptionKind: 0, deprecated: false, deprecationMessage: "" };
}

function readAttribute(reader: BinaryReader, end: number, version: 5 | 6): AttributeWire {
  const attribute: Mutable<AttributeWire> = {
    name: "",
    type: noBytes,
    nestedType: undefined,
    description: "",
    required: false,
    optional: false,
    computed: false,
    sensitive: false,
    descriptionKind: 0,
    deprecated: false,
    writeOnly: false,
    deprecationMessage: "",
  };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag >>> 3) {
      case 1:
        attribute.name = reader.string(true);
        break;
      case 2:
        attribute.type = reader.bytes();
        break;
      case 3:
        attribute.description = reader.string(true);
        break;
      case 4:
        attribute.required = reader.bool();
        break;
      case 5:
        attribute.optional = reader.bool();
        break;
      case 6:
        attribute.computed = reader.bool();
        break;
      case 7:
        attribute.sensitive = reader.bool();
        break;
      case 8:
        attribute.descriptionKind = reader.int32();
        break;
      case 9:
        attribute.deprecated = reader.bool();
        break;
      default:
        if (!readLaterField(reader, tag >>> 3, attribute, version)) skip(reader, tag);
    }
  }
  return attribute;
}

/** Reads a field whose number depends on the protocol version. Returns whether the number is that of such a field. */
function readLaterField(reader: BinaryReader, field: number, attribute: Mutable<AttributeWire>, version: 5 | 6): boolean {
  if (version === 6 && field === 10) {
    const { nestedType } = attribute;
    attribute.nestedType = readNestedAttributes(reader, endOf(reader), version, nestedType as Mutable<NestedAttributesWire> | undefined);
    return true;
  }
  const writeOnly = version === 6 ? 11 : 10;
  if (field === writeOnly) attribute.writeOnly = reader.bool();
  else if (field === writeOnly + 1) attribute.deprecationMessage = reader.string(true);
  else return false;
  return true;
}

function readNestedAttributes(
  reader: BinaryReader,
  end: number,
  version: 5 | 6,
  nested: Mutable<NestedAttributesWire> = { attributes: [], nesting: 0 },
): NestedAttributesWire {
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) nested.attributes.push(readAttribute(reader, endOf(reader), version));
    else if (tag >>> 3 === 3) nested.nesting = reader.int32();
    else skip(reader, tag);
  }
  return nested;
}

function readNestedBlock(reader: BinaryReader, end: number, version: 5 | 6): NestedBlockWire {
  const nested: Mutable<NestedBlockWire> = { typeName: "", block: undefined, nesting: 0, minItems: 0n, maxItems: 0n };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag >>> 3) {
      case 1:
        nested.typeName = reader.string(true);
        break;
      case 2:
        nested.block = readBlock(reader, endOf(reader), version, nested.block as Mutable<BlockWire> | undefined);
        break;
      case 3:
        nested.nesting = reader.int32();
        break;
      case 4:
        nested.minItems = integer(reader);
        break;
      case 5:
        nested.maxItems = integer(reader);
        break;
      default:
        skip(reader, tag);
    }
  }
  return nested;
}

const noBytes = new Uint8Array(0);

function integer(reader: BinaryReader): bigint {
  return BigInt(reader.int64());
}

/** Position after a field with a length, which is read. */
function endOf(reader: BinaryReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("premature EOF");
  return end;
}

function skip(reader: BinaryReader, tag: number): void {
  const wireType = wireTypes[tag & 7];
  if (wireType === undefined || tag >>> 3 === 0) throw new Error(`illegal tag: ${tag}`);
  reader.skip(wireType, tag >>> 3);
}

/** Wire types by number. Protocols have no groups. */
const wireTypes: readonly (WireType | undefined)[] = [
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  undefined,
  undefined,
  WireType.Bit32,
];
