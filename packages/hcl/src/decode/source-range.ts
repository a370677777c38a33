// SPDX-License-Identifier: Apache-2.0
import type { Block, Body, BodyContent } from "../body/body.ts";
import { HclError } from "../error.ts";
import type { SourceRange } from "../syntax/position.ts";
import { impliedSchema } from "./implied-schema.ts";
import type { Spec } from "./spec.ts";

/** A label of a block with its range. */
export interface BlockLabel {
  readonly value: string;
  readonly range: SourceRange;
}

/** Labels of a block with their ranges. */
export function labelsOf(block: Block): readonly BlockLabel[] {
  return block.labels.map((value, index) => ({ value, range: block.labelRanges[index]! }));
}

/**
 * Range of the source of a spec's value, for messages about the value. For a missing item, the range where it could be added; for several
 * blocks, the range of the first.
 *
 * @see hcldec.SourceRange
 */
export function sourceRange(body: Body, spec: Spec): SourceRange {
  return rangeInBody(body, [], spec);
}

/** {@link sourceRange} in the body of a block with these labels. */
export function rangeInBody(body: Body, labels: readonly BlockLabel[], spec: Spec): SourceRange {
  return rangeInContent(body.partialContent(impliedSchema(spec)).content, labels, spec);
}

/** Range for values without a source. */
const noRange: SourceRange = {
  filename: "<unknown>",
  start: { line: 0, column: 0, byte: 0 },
  end: { line: 0, column: 0, byte: 0 },
};

/** {@link sourceRange} in content that has been read. */
export function rangeInContent(content: BodyContent, labels: readonly BlockLabel[], spec: Spec): SourceRange {
  switch (spec.kind) {
    case "object":
    case "tuple":
      return content.missingItemRange;
    case "attribute":
      return content.attributes.get(spec.name)?.expression.range ?? content.missingItemRange;
    case "literal":
      return noRange;
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

/** Label of a block by its index. @throws HclError `INVALID_SPEC` if the block has fewer labels. */
export function labelAt(labels: readonly BlockLabel[], index: number): BlockLabel {
  const label = labels[index];
  if (label === undefined)
    throw new HclError("INVALID_SPEC", `a spec for label ${index} must be nested in a spec for blocks with that label`);
  return label;
}
