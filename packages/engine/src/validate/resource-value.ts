// SPDX-License-Identifier: Apache-2.0
import { dynamic, mark, unknown, type Value } from "@tenon/cty";
import { impliedType, someAttribute, unknownBlockValue, type Attribute, type Block } from "@tenon/schema";
import type { ResourceBlock } from "../configuration/resource.ts";
import { deprecationMarks, hasDeprecation } from "../evaluation/resource-deprecation.ts";
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
  return withEphemeral(withPathMarks(value, combineMarks(schemaMarks(schema, value), deprecationMarks(value, schema, block, isRemote))));
}

/** Whether values of the schema can have marks. */
function isMarking(schema: Block): boolean {
  return someAttribute(schema, isSensitive) || hasDeprecation(schema);
}

function isSensitive({ sensitive }: Attribute): boolean {
  return sensitive;
}
