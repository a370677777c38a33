// SPDX-License-Identifier: Apache-2.0
import { CtyError, listOf, setOf, tupleOf, unknown, type Value } from "@tenon/cty";
import { unifyUnsafe } from "@tenon/cty/convert";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { Block, BodyContent } from "../body/body.ts";
import { unknownOfAnyType } from "../evaluate/evaluator.ts";
import { errorAt } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { blocksOf, withBodyMarks } from "./block.ts";
import type { Decoder } from "./decoder.ts";
import { concreteType, impliedType } from "./implied-type.ts";
import { labelsOf, rangeInBody } from "./source-range.ts";
import type { BlockSequenceSpec, Spec } from "./spec.ts";

/** Decodes all blocks of a type as a list, set or tuple. */
export function blockSequenceValue(decoder: Decoder, content: BodyContent, spec: BlockSequenceSpec): Value {
  const { kind, type, nested } = spec;
  const values: Value[] = [];
  const blocks: Block[] = [];
  for (const block of blocksOf(content, type)) {
    values.push(withBodyMarks(block, decoder.ofBody(block.body, labelsOf(block), nested)));
    if (block.body.unknown) return unknown(concreteType(spec));
    blocks.push(block);
  }
  checkCount(decoder, content, spec, blocks);
  if (kind === "blockTuple") return tupleOf(values);
  if (values.length === 0) {
    const element = impliedType(nested);
    return kind === "blockList" ? listOf([], element) : setOf([], element);
  }
  const unified = toCommonType(decoder, spec, values, blocks);
  if (unified === undefined) return unknownOfAnyType;
  return kind === "blockList" ? listOf(unified) : setOf(unified);
}

function checkCount(
  { diagnostics }: Decoder,
  content: BodyContent,
  { type, nested, min = 0, max = 0 }: BlockSequenceSpec,
  blocks: readonly Block[],
): void {
  if (blocks.length < min) {
    const detail = `At least ${min} ${quote(type)} blocks are required.`;
    diagnostics.push(errorAt(`Insufficient ${type} blocks`, detail, content.missingItemRange));
  } else if (max > 0 && blocks.length > max) {
    const detail = `No more than ${max} ${quote(type)} blocks are allowed`;
    diagnostics.push(errorAt(`Too many ${type} blocks`, detail, rangeOf(blocks[max]!, nested)));
  }
}

/** Range of a block's value. Called for errors only, because it costs as much as decoding. */
function rangeOf(block: Block, nested: Spec): SourceRange {
  return rangeInBody(block.body, labelsOf(block), nested);
}

/** Converts the values to a common type: they can differ by attributes of dynamic type. */
function toCommonType(
  { diagnostics }: Decoder,
  { type, nested }: BlockSequenceSpec,
  values: readonly Value[],
  blocks: readonly Block[],
): readonly Value[] | undefined {
  const summary = `Unconsistent argument types in ${type} blocks`;
  const common = unifyUnsafe(values.map((value) => value.type));
  if (common === undefined) {
    const detail = "Corresponding attributes in all blocks of this type must be the same.";
    diagnostics.push(errorAt(summary, detail, rangeOf(blocks[0]!, nested)));
    return undefined;
  }
  const converted: Value[] = [];
  for (const [index, value] of values.entries()) {
    try {
      converted.push(common.conversions[index]?.(value) ?? value);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      const detail = `Block with index ${index} has inconsistent argument types: ${error.message}.`;
      diagnostics.push(errorAt(summary, detail, rangeOf(blocks[index]!, nested)));
      return undefined;
    }
  }
  return converted;
}
