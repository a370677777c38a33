// SPDX-License-Identifier: Apache-2.0
import type { Attributes, BlockDeclaration, ResourceDeclaration } from "./declaration.ts";

const simple: Attributes = {
  bool: { type: "boolean", optional: true },
  number: { type: "number", optional: true },
  string: { type: "string", optional: true },
  float: { type: "float", optional: true },
  integer: { type: "integer", optional: true },
};

/** Attributes of every basic type. */
export const simpleResource: ResourceDeclaration = { attributes: simple };

/** The same attributes, with collections, objects and blocks that contain them again, in three levels. */
export const complexResource: ResourceDeclaration = complex(3);

function complex(levels: number): ResourceDeclaration {
  return { attributes: complexAttributes(levels), blocks: complexBlocks(levels) };
}

function complexAttributes(levels: number): Attributes {
  if (levels === 0) return simple;
  const object = complexAttributes(levels - 1);
  const element = { type: "object", object } as const;
  return {
    ...simple,
    list: { type: "list", optional: true, list: element },
    map: { type: "map", optional: true, map: element },
    set: { type: "set", optional: true, set: element },
    object: { type: "object", optional: true, object },
  };
}

function complexBlocks(levels: number): Readonly<Record<string, BlockDeclaration>> {
  if (levels === 0) return {};
  const inner = complex(levels - 1);
  return { list_block: { ...inner, mode: "list" }, set_block: { ...inner, mode: "set" } };
}
