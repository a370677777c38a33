// SPDX-License-Identifier: Apache-2.0
import { dynamic, mark, unknown, type Value } from "@tenon/cty";
import type { PathMarks } from "@tenon/cty/paths";
import { attributeAt, attributePaths, impliedType, someAttribute, unknownBlockValue, type Attribute, type Block } from "@tenon/schema";
import { formatResource } from "../address/resource.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { DeprecationMark, markDeprecated } from "../configuration/deprecation.ts";
import { valuePathText } from "../configuration/value-path.ts";
import { combineMarks, schemaMarks, withPathMarks } from "../marks/object-marks.ts";
import { EPHEMERAL } from "../marks/value-marks.ts";

/**
 * The value of a resource before its instances are known: unknown, with the marks that the schema puts on all instances.
 *
 * @see OpenTofu evaluate.go, evaluationStateData.GetResource
 */
export function unknownResourceValue(block: ResourceBlock, schema: Block, isRemote: boolean): Value {
  const isEphemeral = block.address.mode === "ephemeral";
  const withEphemeral = (value: Value): Value => (isEphemeral ? mark(value, EPHEMERAL) : value);
  if (block.count !== undefined || block.forEach !== undefined) return withEphemeral(unknown(dynamic));
  if (block.enabled !== undefined || !(isEphemeral || isMarking(schema))) return unknown(impliedType(schema));
  const value = unknownBlockValue(schema);
  const marks = combineMarks(schemaMarks(schema, value), deprecationMarks(schema, value, formatResource(block.address), isRemote));
  const marked = withPathMarks(value, marks);
  if (!schema.deprecated) return withEphemeral(marked);
  const cause = { by: formatResource(block.address), message: schema.deprecationMessage, isFromRemoteModule: isRemote };
  return withEphemeral(markDeprecated(marked, cause));
}

/** Marks of the deprecated attributes, without those of nested blocks, which are unknown. */
function deprecationMarks(schema: Block, value: Value, address: string, isFromRemoteModule: boolean): readonly PathMarks[] {
  return attributePaths(schema, value, ({ deprecated }) => deprecated).map((path) => {
    const message = attributeAt(schema, path)?.deprecationMessage ?? "";
    return { path, marks: new Set([new DeprecationMark({ by: `${address}${valuePathText(path)}`, message, isFromRemoteModule })]) };
  });
}

/** Whether values of the schema can have marks. */
function isMarking(schema: Block): boolean {
  return someAttribute(schema, marksItsValue) || hasDeprecatedBlock(schema);
}

function marksItsValue({ sensitive, deprecated }: Attribute): boolean {
  return sensitive || deprecated;
}

function hasDeprecatedBlock({ deprecated, blocks }: Block): boolean {
  return deprecated || Object.values(blocks).some(({ block }) => hasDeprecatedBlock(block));
}
