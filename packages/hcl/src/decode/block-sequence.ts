// SPDX-License-Identifier: Apache-2.0
import { CtyError, listOf, setOf, tupleOf, unknown, type Value } from "@tenon/cty";
import { unifyUnsafe } from "@tenon/cty/convert";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { BodyContent } from "../body/body.ts";
import { anything } from "../evaluate/evaluator.ts";
import { errorAt } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { blocksOf, markedAs } from "./block.ts";
import type { Decoder } from "./decoder.ts";
import { concreteType, impliedType } from "./implied-type.ts";
import { labelsOf, rangeInBody } from "./source-range.ts";
import type { BlockSequenceSpec } from "./spec.ts";

/** What is made of all blocks of a type, as a list, set or tuple. */
export function blockSequenceValue(decoder: Decoder, content: BodyContent, spec: BlockSequenceSpec): Value {
  const { kind, type, nested } = spec;
  const values: Value[] = [];
  const ranges: SourceRange[] = [];
  for (const block of blocksOf(content, type)) {
    const labels = labelsOf(block);
    values.push(markedAs(block, decoder.ofBody(block.body, labels, nested)));
    if (block.body.unknown) return unknown(concreteType(spec));
    ranges.push(rangeInBody(block.body, labels, nested));
  }
  checkCount(decoder, content, spec, ranges);
  if (kind === "blockTuple") return tupleOf(values);
  if (values.length === 0) {
    const element = impliedType(nested);
    return kind === "blockList" ? listOf([], element) : setOf([], element);
  }
  const unified = ofOneType(decoder, spec, values, ranges);
  if (unified === undefined) return anything;
  return kind === "blockList" ? listOf(unified) : setOf(unified);
}

function checkCount(
  { diagnostics }: Decoder,
  content: BodyContent,
  { type, min = 0, max = 0 }: BlockSequenceSpec,
  ranges: readonly SourceRange[],
): void {
  if (ranges.length < min) {
    const detail = `At least ${min} ${quote(type)} blocks are required.`;
    diagnostics.push(errorAt(`Insufficient ${type} blocks`, detail, content.missingItemRange));
  } else if (max > 0 && ranges.length > max) {
    diagnostics.push(errorAt(`Too many ${type} blocks`, `No more than ${max} ${quote(type)} blocks are allowed`, ranges[max]!));
  }
}

/** Attributes of dynamic type can make the values of several. */
function ofOneType(
  { diagnostics }: Decoder,
  { type }: BlockSequenceSpec,
  values: readonly Value[],
  ranges: readonly SourceRange[],
): readonly Value[] | undefined {
  const summary = `Unconsistent argument types in ${type} blocks`;
  const common = unifyUnsafe(values.map((value) => value.type));
  if (common === undefined) {
    diagnostics.push(errorAt(summary, "Corresponding attributes in all blocks of this type must be the same.", ranges[0]!));
    return undefined;
  }
  const converted: Value[] = [];
  for (const [index, value] of values.entries()) {
    try {
      converted.push(common.conversions[index]?.(value) ?? value);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      diagnostics.push(errorAt(summary, `Block with index ${index} has inconsistent argument types: ${error.message}.`, ranges[index]!));
      return undefined;
    }
  }
  return converted;
}
