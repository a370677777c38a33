// SPDX-License-Identifier: Apache-2.0
/**
 * Values of whole bodies, decoded by a spec.
 *
 * @module
 */
export { blocksAsAttributes, isLegacySchema, withBlocksForAttributes, type AmbiguousSchema } from "./blocks-as-attributes.ts";
export { decode, partialDecode, type Decoding } from "./decode.ts";
export { childBlockTypes, impliedSchema } from "./implied-schema.ts";
export { impliedType } from "./implied-type.ts";
export { sourceRange } from "./source-range.ts";
export { specFunctions, specVariables } from "./spec-variables.ts";
export type {
  AttributeSpec,
  BlockAttributesSpec,
  BlockLabelSpec,
  BlockSequenceSpec,
  BlockSpec,
  BlockTreeSpec,
  DefaultSpec,
  ExpressionSpec,
  LiteralSpec,
  ObjectSpec,
  RefineSpec,
  Spec,
  TransformExpressionSpec,
  TransformFunctionSpec,
  TupleSpec,
  ValidateSpec,
} from "./spec.ts";
