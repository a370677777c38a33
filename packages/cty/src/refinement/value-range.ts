// SPDX-License-Identifier: Apache-2.0
import { markedRefused } from "../error/error.ts";
import { compareNumbers, negativeInfinity, numbersEqual, positiveInfinity } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import {
  isMarkedPayload,
  isUnknownPayload,
  isWhollyKnownPayload,
  unmarkedPayload,
  type CollectionLength,
  type NumberBound,
  type Payload,
  type Refinement,
} from "../payload/payload.ts";
import { dynamic, isCollectionType, number, string } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { conforms } from "../value/type-conform.ts";
import type { Value } from "../model/value.ts";

/** What is known about a value: its exact properties if it is known, and its refinements if it is unknown. */
export interface ValueRange extends Refinement {
  /** Type of the value. */
  readonly type: Type;
  /** The value is known to be null. */
  readonly null?: true;
  /** The value is unknown and was never refined. Then even infinity is in the range of a number. */
  readonly open?: true;
}

/**
 * Returns what is known about a value.
 *
 * @throws CtyError `MARKED` for a marked value.
 * @see go-cty Value.Range
 */
export function range(value: Value): ValueRange {
  if (isMarkedPayload(value.payload)) throw markedRefused();
  return { type: value.type, ...payloadRange(value.type, value.payload) };
}

/** Returns the range of a payload that is not marked. */
export function payloadRange(type: Type, payload: Payload): Omit<ValueRange, "type"> {
  if (isUnknownPayload(payload)) return payload.refinement ?? { open: true };
  if (payload === null) return { null: true };
  if (type === string) return { notNull: true, prefix: payload as string };
  if (type === number) {
    const bound: NumberBound = { value: payload as NumberPayload, inclusive: true };
    return { notNull: true, min: bound, max: bound };
  }
  const { min, max } = isCollectionType(type) ? lengthBounds(type, payload) : { min: 0, max: 1 };
  return { notNull: true, ...(min === max ? { lengthMin: min, lengthMax: max } : {}) };
}

/** Returns the bounds of the length of a known collection. Unknown members of a set may turn out to be equal. */
export function lengthBounds(type: Type, payload: Payload): { readonly min: number; readonly max: number } {
  if (payload instanceof Map) return { min: payload.size, max: payload.size };
  const elements = payload as readonly Payload[];
  const open = type.kind === "set" && elements.length > 1 && !elements.every(isWhollyKnownPayload);
  return { min: open ? 1 : elements.length, max: elements.length };
}

/**
 * Whether a value is in the range: false if it cannot be, true for a null value that can be, undefined for other values that can be.
 *
 * @throws CtyError `MARKED` for a marked value that would have to be compared with the limits of the range.
 * @see go-cty ValueRange.Includes
 */
export function rangeIncludes(range: ValueRange, value: Value): boolean | undefined {
  const payload = unmarkedPayload(value.payload);
  if (range.null) return payload === null;
  if (payload === null) return !range.notNull;
  const excludes = rangeExcludes(range.type, range.open ? undefined : range, value.type, payload);
  // Of a marked value, only the type is compared.
  if (payload !== value.payload && !range.open && conforms(value.type, range.type) && isCompared(range, value.type, payload))
    throw markedRefused();
  return excludes ? false : undefined;
}

/** Whether the payload has to be compared with the limits of the range. */
function isCompared(range: ValueRange, type: Type, payload: Payload): boolean {
  const isKnown = !isUnknownPayload(payload);
  if (isCollectionType(type)) {
    const { min, max } = isKnown ? lengthBounds(type, payload) : lengthLimits(payload.refinement);
    const limits = lengthLimits(range);
    return min === max || min > limits.min || max < limits.max;
  }
  if (isKnown) return type === string || type === number;
  const { min, max } = payload.refinement ?? {};
  return isBeyond(min, range.min, 1) || isBeyond(max, range.max, -1);
}

function lengthLimits({ lengthMin = 0, lengthMax = Infinity }: Refinement = {}): {
  readonly min: CollectionLength;
  readonly max: CollectionLength;
} {
  return { min: lengthMin, max: lengthMax };
}

function isBeyond(bound: NumberBound | undefined, limit: NumberBound | undefined, side: 1 | -1): boolean {
  return bound !== undefined && (limit === undefined || side * compareNumbers(bound.value, limit.value) > 0);
}

/** Whether no value of the range can be the given one, which is not null and not marked. */
export function rangeExcludes(type: Type, refinement: Refinement | undefined, knownType: Type, known: Payload): boolean {
  if (!conforms(knownType, type)) return true;
  if (refinement === undefined || knownType === dynamic) return false;
  const { prefix, min, max, lengthMin, lengthMax } = refinement;
  if (prefix !== undefined && typeof known === "string" && !known.startsWith(prefix)) return true;
  if (isUnknownPayload(known)) return rangesApart(refinement, known.refinement ?? {});
  if (lengthMin !== undefined || lengthMax !== undefined) {
    const length = lengthBounds(knownType, known);
    if (length.max < (lengthMin ?? 0) || length.min > (lengthMax ?? Infinity)) return true;
  }
  if (type !== number) return false;
  return (
    !within(known as NumberPayload, min ?? aboveNegativeInfinity, 1) || !within(known as NumberPayload, max ?? belowPositiveInfinity, -1)
  );
}

/** The limits that go-cty assumes for a refined number without bounds. Infinity itself is outside. */
const aboveNegativeInfinity: NumberBound = { value: negativeInfinity, inclusive: false };
const belowPositiveInfinity: NumberBound = { value: positiveInfinity, inclusive: false };

/** Whether the number is within a bound: above it for side 1, below it for side -1. */
function within(x: NumberPayload, { value, inclusive }: NumberBound, side: 1 | -1): boolean {
  return side * compareNumbers(x, value) > 0 || (inclusive && numbersEqual(x, value));
}

/** Whether two ranges of numbers or lengths have nothing in common. */
function rangesApart(a: Refinement, b: Refinement): boolean {
  if ((a.lengthMin ?? 0) > (b.lengthMax ?? Infinity) || (b.lengthMin ?? 0) > (a.lengthMax ?? Infinity)) return true;
  return boundsApart(a.min, b.max) || boundsApart(b.min, a.max);
}

function boundsApart(min: NumberBound | undefined, max: NumberBound | undefined): boolean {
  return min !== undefined && max !== undefined && compareNumbers(max.value, min.value) < 0;
}
