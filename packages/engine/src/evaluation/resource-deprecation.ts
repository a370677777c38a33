// SPDX-License-Identifier: Apache-2.0
import { type Path, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { attributeAt, attributePaths, blockPaths, someAttribute, type Attribute, type Block } from "@tenon/schema";
import { formatResource } from "../address/resource.ts";
import { DeprecationMark } from "../configuration/deprecation.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { valuePathText } from "../configuration/value-path.ts";
import { combineMarks, withPathMarks } from "../marks/object-marks.ts";

/**
 * The value of an object for references to it: with marks on the attributes and blocks that its schema has deprecated.
 *
 * @param isRemote Whether the resource is in a module from outside the configuration.
 * @see OpenTofu configschema Block.ValueMarks
 */
export function withDeprecations(value: Value, schema: Block, block: ResourceBlock, isRemote: boolean): Value {
  if (!hasDeprecation(schema)) return value;
  const [plain, marks] = unmarkDeepWithPaths(value);
  return withPathMarks(plain, combineMarks(marks, deprecationMarks(plain, schema, block, isRemote)));
}

/** The marks on the deprecated attributes and blocks of a value without marks. */
export function deprecationMarks(value: Value, schema: Block, block: ResourceBlock, isFromRemoteModule: boolean): readonly PathMarks[] {
  const address = formatResource(block.address);
  const mark = (path: Path, message: string): PathMarks => {
    const cause = { by: `${address}${valuePathText(path)}`, message, isFromRemoteModule };
    return { path, marks: new Set([DeprecationMark.of(block, cause)]) };
  };
  return [
    ...(schema.deprecated ? [mark([], schema.deprecationMessage)] : []),
    ...attributePaths(schema, value, isDeprecated).map((path) => mark(path, attributeAt(schema, path)?.deprecationMessage ?? "")),
    ...blockPaths(schema, value, isDeprecated).map((path) => mark(path, blockAt(schema, path).deprecationMessage)),
  ];
}

/** Whether a schema has deprecated something. */
export function hasDeprecation(schema: Block): boolean {
  return someAttribute(schema, isDeprecated) || hasDeprecatedBlock(schema);
}

function hasDeprecatedBlock({ deprecated, blocks }: Block): boolean {
  return deprecated || Object.values(blocks).some(({ block }) => hasDeprecatedBlock(block));
}

function isDeprecated({ deprecated }: Attribute | Block): boolean {
  return deprecated;
}

/** The nested block at a path, whose other steps are those into collections of blocks. */
function blockAt(schema: Block, path: Path): Block {
  let block = schema;
  for (const step of path) if (step.kind === "attribute") block = block.blocks[step.name]!.block;
  return block;
}
