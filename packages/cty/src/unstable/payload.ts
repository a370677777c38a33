// SPDX-License-Identifier: Apache-2.0
/**
 * How values are held, for libraries that handle many of them. Not frozen: the shapes here may change in any version.
 *
 * @module
 */
export {
  CapsulePayload,
  containsMark,
  isCapsulePayload,
  isMarkedPayload,
  isNumberPayload,
  isUnknownPayload,
  isWhollyKnownPayload,
  markedPayload,
  MarkedPayload,
  REFINED_WITH_NOTHING,
  UNKNOWN,
  UNKNOWN_NOT_NULL,
  unmarkedPayload,
  UnknownPayload,
  type CollectionLength,
  type Mark,
  type NumberBound,
  type Payload,
  type Refinement,
} from "../payload.ts";
export { compareCodePoints } from "../code-point-order.ts";
export { goQuote } from "../go-quote.ts";
export { graphemeEnds } from "../ctystrings/graphemes.ts";
export { normalizeString } from "../ctystrings/normalize.ts";
export { payloadsEqual, payloadsSame, typedPayloadsEqual } from "../equality.ts";
export { mapPayload } from "../map-payload.ts";
export { mapChildPayloads } from "../children.ts";
export { BigFloat, numberFromText } from "../number/big-float.ts";
export {
  compareNumbers,
  isInfiniteNumber,
  numberFromBigint,
  numberFromDouble,
  numberHashText,
  numbersEqual,
  numberSign,
  numberText,
  numberToBigint,
  numberToDouble,
  type NumberPayload,
} from "../number/number.ts";
export { hashPayload } from "../operators/hash.ts";
export { hashText } from "../set-hash.ts";
export { setPayload } from "../set-internals.ts";
export { perType } from "../per-type.ts";
export { isValue, valueOf, type Value } from "../value.ts";
