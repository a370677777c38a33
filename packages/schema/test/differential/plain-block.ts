// SPDX-License-Identifier: Apache-2.0
import { decodeType, encodeType } from "@tenon/cty/json";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock } from "../../src/model/create-schema.ts";
import type { Attribute, Block, NestedAttributes, NestedBlock } from "../../src/model/schema.ts";

// Block as plain JSON, for the oracle and for recorded cases.

export interface PlainAttribute {
  readonly type?: unknown;
  readonly nested?: { readonly nesting: NestedAttributes["nesting"]; readonly attributes: Readonly<Record<string, PlainAttribute>> };
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  readonly writeOnly?: true;
}

export interface PlainBlock {
  readonly attributes: Readonly<Record<string, PlainAttribute>>;
  readonly blocks: Readonly<Record<string, { readonly nesting: NestedBlock["nesting"]; readonly block: PlainBlock }>>;
}

export function toPlainBlock(block: Block): PlainBlock {
  return {
    attributes: mapValues(block.attributes, toPlainAttribute),
    blocks: mapValues(block.blocks, (nested) => ({ nesting: nested.nesting, block: toPlainBlock(nested.block) })),
  };
}

export function fromPlainBlock(plain: PlainBlock): Block {
  return createBlock({
    attributes: mapValues(plain.attributes, fromPlainAttribute),
    blocks: mapValues(plain.blocks, ({ nesting, block }) => createNestedBlock(nesting, fromPlainBlock(block))),
  });
}

function toPlainAttribute(attribute: Attribute): PlainAttribute {
  const { type, nested } = attribute;
  const flags = ["required", "optional", "computed", "sensitive", "writeOnly"] as const;
  return {
    ...(type ? { type: JSON.parse(encodeType(type)) as unknown } : {}),
    ...(nested ? { nested: { nesting: nested.nesting, attributes: mapValues(nested.attributes, toPlainAttribute) } } : {}),
    ...Object.fromEntries(flags.filter((flag) => attribute[flag]).map((flag) => [flag, true])),
  };
}

function fromPlainAttribute({ type, nested, ...flags }: PlainAttribute): Attribute {
  return createAttribute({
    ...flags,
    ...(type === undefined ? {} : { type: decodeType(JSON.stringify(type)) }),
    ...(nested ? { nested: createNestedAttributes(nested.nesting, mapValues(nested.attributes, fromPlainAttribute)) } : {}),
  });
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
