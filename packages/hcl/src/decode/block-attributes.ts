// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, mapOf, map, nullOf, unknown, withoutOptionalAttributes, type Type, type Value } from "@tenon/cty";
import { convert, unifyUnsafe } from "@tenon/cty/convert";
import { goQuote as quote, normalizeString } from "@tenon/cty/unstable/payload";
import type { Attribute, BodyContent } from "../body/body.ts";
import { customDecoderOf } from "../evaluate/custom-decoding.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { evaluationError } from "../evaluate/evaluator.ts";
import { errorAt } from "../syntax/diagnostic.ts";
import { rangeBetween } from "../syntax/range.ts";
import { blocksOf, duplicateBlock, missingBlock } from "./block.ts";
import type { Decoder } from "./decoder.ts";
import type { BlockAttributesSpec } from "./spec.ts";

/** Decodes the attributes of the only block of a type as a map. */
export function attributesValue(decoder: Decoder, content: BodyContent, { type, elementType, required }: BlockAttributesSpec): Value {
  const [block, second] = blocksOf(content, type);
  if (block === undefined) {
    if (required) decoder.diagnostics.push(missingBlock(content, type));
    return nullOf(withoutOptionalAttributes(map(elementType)));
  }
  if (second !== undefined) decoder.diagnostics.push(duplicateBlock(block, second));
  const { attributes, diagnostics } = block.body.justAttributes();
  decoder.diagnostics.push(...diagnostics);
  const values = new Map([...attributes].map(([name, one]) => [normalizeString(name), attributeValue(decoder, type, one, elementType)]));
  if (values.size === 0) return mapOf(values, elementType);
  // With a dynamic element type, the attributes must still have a common type.
  const common = unifyUnsafe([...values.values()].map((value) => value.type));
  if (common === undefined) {
    const detail = "All attributes of this block must be of one type.";
    decoder.diagnostics.push(errorAt(`Inconsistent attribute types in ${type} block`, detail, block.declarationRange));
    return unknown(map(dynamic));
  }
  const converted = [...values].map(([name, value], index): [string, Value] => [name, common.conversions[index]?.(value) ?? value]);
  return mapOf(new Map(converted));
}

function attributeValue(decoder: Decoder, block: string, { nameRange, expression }: Attribute, type: Type): Value {
  const custom = customDecoderOf(type);
  const { value, diagnostics } = (custom ?? evaluate)(expression, decoder.scope);
  decoder.diagnostics.push(...diagnostics);
  if (value === undefined) return unknown(type);
  if (custom !== undefined) return value;
  try {
    return convert(value, type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Invalid value for attribute of ${quote(block)} block: ${error.message}.`;
    const at = { subject: expression.range, context: rangeBetween(nameRange, expression.range) };
    decoder.diagnostics.push(evaluationError("Invalid attribute value", detail, at, expression, decoder.scope));
    return unknown(type);
  }
}
