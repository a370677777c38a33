// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, NestedAttributeMode, NestedBlock, Schema } from "@tenon/schema";
import { bodyOf, type EntryShape, type ObjectShape } from "../shape/shape.ts";

/** The properties of a schema as a whole. */
export interface SchemaHead {
  readonly version?: number;
  readonly description?: string;
  readonly deprecated?: string;
}

/** Converts a shape to a protocol schema, which does not contain defaults, validators and plan modifiers. */
export function protocolSchema(shape: ObjectShape, head: SchemaHead): Schema {
  return { version: head.version ?? 0, block: protocolBlock(shape, head.description ?? "", head.deprecated) };
}

function protocolBlock(shape: ObjectShape, description: string, deprecated: string | undefined): Block {
  return {
    attributes: named(shape.entries.filter((entry) => entry.kind !== "block").map((entry) => [entry.name, protocolAttribute(entry)])),
    blocks: named(shape.entries.filter((entry) => entry.kind === "block").map((entry) => [entry.name, protocolNestedBlock(entry)])),
    description,
    descriptionKind: "markdown",
    ...deprecation(deprecated),
  };
}

function protocolAttribute(entry: EntryShape): Attribute {
  return {
    ...(entry.kind === "nested"
      ? {
          nested: {
            nesting: entry.nesting as NestedAttributeMode,
            attributes: named(bodyOf(entry).entries.map((inner) => [inner.name, protocolAttribute(inner)])),
          },
        }
      : { type: entry.shape.type }),
    required: entry.required,
    optional: entry.optional,
    computed: entry.computed,
    sensitive: entry.sensitive,
    writeOnly: entry.writeOnly,
    description: entry.description,
    descriptionKind: "markdown",
    ...deprecation(entry.deprecated),
  };
}

function protocolNestedBlock(entry: EntryShape): NestedBlock {
  return {
    nesting: entry.nesting!,
    block: protocolBlock(bodyOf(entry), entry.description, entry.deprecated),
    minItems: entry.minItems,
    maxItems: entry.maxItems,
  };
}

function deprecation(deprecated: string | undefined): Pick<Block, "deprecated" | "deprecationMessage"> {
  return { deprecated: deprecated !== undefined, deprecationMessage: deprecated ?? "" };
}

function named<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries);
}
