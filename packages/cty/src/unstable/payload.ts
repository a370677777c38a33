// SPDX-License-Identifier: Apache-2.0
/**
 * The internal representation of values, for libraries that process many of them. Unstable: it may change in any version.
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
} from "../payload/payload.ts";
export { compareCodePoints } from "../text/code-point-order.ts";
export { goQuote } from "../text/go-quote.ts";
export { graphemeEnds } from "../text/graphemes.ts";
export { normalizeString } from "../text/normalize.ts";
export { payloadsEqual, payloadsSame, typedPayloadsEqual } from "../equality/equality.ts";
export { mapPayload } from "../payload/map-payload.ts";
export { mapChildPayloads } from "../value/children.ts";
export { childTypes } from "../type/type.ts";
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
} from "../number/number.ts";
export type { NumberPayload } from "../payload/number-payload.ts";
export { hashPayload } from "../operators/hash.ts";
export { hashText } from "../equality/set-hash.ts";
export { setPayload } from "../equality/set-internals.ts";
export { perType } from "../type/per-type.ts";
export { isValue, valueOf } from "../value/value.ts";
export type { Value } from "../model/value.ts";
