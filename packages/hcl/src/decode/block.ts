// SPDX-License-Identifier: Apache-2.0
import { nullOf, withMarks, type Value } from "@tenon/cty";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { Block, BodyContent } from "../body/body.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import { formatRange } from "../syntax/range.ts";
import type { Decoder } from "./decoder.ts";
import { concreteType } from "./implied-type.ts";
import { labelsOf } from "./source-range.ts";
import type { BlockSpec } from "./spec.ts";

/** The blocks of a type, in order. */
export function blocksOf(content: BodyContent, wanted: string): readonly Block[] {
  return content.blocks.filter(({ type }) => type === wanted);
}

/** Decodes the only block of a type. */
export function onlyBlock(decoder: Decoder, content: BodyContent, { type, nested, required }: BlockSpec): Value {
  const [block, second] = blocksOf(content, type);
  if (second !== undefined) decoder.diagnostics.push(duplicateBlock(block!, second));
  if (block !== undefined) return decoder.ofBody(block.body, labelsOf(block), nested);
  if (required) decoder.diagnostics.push(missingBlock(content, type));
  return nullOf(concreteType(nested));
}

/** Error about a missing required block. */
export function missingBlock(content: BodyContent, type: string): Diagnostic {
  return errorAt(`Missing ${type} block`, `A block of type ${quote(type)} is required here.`, content.missingItemRange);
}

/** Error about a second block of a type that allows one. */
export function duplicateBlock({ type, declarationRange }: Block, second: Block): Diagnostic {
  const detail = `Only one block of type ${quote(type)} is allowed. Previous definition was at ${formatRange(declarationRange)}.`;
  return errorAt(`Duplicate ${type} block`, detail, second.declarationRange);
}

/** Adds the marks of a block's body to a value. */
export function withBodyMarks({ body: { marks } }: Block, value: Value): Value {
  return marks === undefined ? value : withMarks(value, marks);
}
