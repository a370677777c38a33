// SPDX-License-Identifier: Apache-2.0
import type { Block, Body, BodyContent } from "../body/body.ts";
import { HclError } from "../error.ts";
import type { SourceRange } from "../syntax/position.ts";
import { impliedSchema } from "./implied-schema.ts";
import type { Spec } from "./spec.ts";

/** A label of a block with its place. */
export interface BlockLabel {
  readonly value: string;
  readonly range: SourceRange;
}

export function labelsOf(block: Block): readonly BlockLabel[] {
  return block.labels.map((value, index) => ({ value, range: block.labelRanges[index]! }));
}

/**
 * Where in a body the value of a spec comes from, for messages about the value; where something is missing, where it could be
 * added. Of several blocks it is the first.
 *
 * @see hcldec.SourceRange
 */
export function sourceRange(body: Body, spec: Spec): SourceRange {
  return rangeInBody(body, [], spec);
}

export function rangeInBody(body: Body, labels: readonly BlockLabel[], spec: Spec): SourceRange {
  return rangeInContent(body.partialContent(impliedSchema(spec)).content, labels, spec);
}

/** What does not come from any source has no place. */
const nowhere: SourceRange = {
  filename: "<unknown>",
  start: { line: 0, column: 0, byte: 0 },
  end: { line: 0, column: 0, byte: 0 },
};

export function rangeInContent(content: BodyContent, labels: readonly BlockLabel[], spec: Spec): SourceRange {
  switch (spec.kind) {
    case "object":
    case "tuple":
      return content.missingItemRange;
    case "attribute":
      return content.attributes.get(spec.name)?.expression.range ?? content.missingItemRange;
    case "literal":
      return nowhere;
    case "expression":
      return spec.expression.range;
    case "blockLabel":
      return labelAt(labels, spec.index).range;
    case "default":
      return rangeInContent(content, labels, spec.primary);
    case "transformExpression":
    case "transformFunction":
    case "refine":
    case "validate":
      return rangeInContent(content, labels, spec.wrapped);
    default: {
      const block = content.blocks.find(({ type }) => type === spec.type);
      if (block === undefined) return content.missingItemRange;
      return spec.kind === "blockAttributes" ? block.declarationRange : rangeInBody(block.body, labelsOf(block), spec.nested);
    }
  }
}

/** @throws HclError `INVALID_SPEC` where the body is not that of a block with so many labels. */
export function labelAt(labels: readonly BlockLabel[], index: number): BlockLabel {
  const label = labels[index];
  if (label === undefined)
    throw new HclError("INVALID_SPEC", `a spec for label ${index} is used where no block with that label is decoded`);
  return label;
}
