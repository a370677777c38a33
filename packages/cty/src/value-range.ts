// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "./error.ts";
import { compareNumbers, negativeInfinity, numbersEqual, positiveInfinity, type NumberPayload } from "./number/number.ts";
import {
  isMarkedPayload,
  isUnknownPayload,
  isWhollyKnownPayload,
  unmarkedPayload,
  type NumberBound,
  type Payload,
  type Refinement,
} from "./payload.ts";
import { isCollectionType, type Type } from "./type.ts";
import { conforms } from "./type-conform.ts";
import type { Value } from "./value.ts";

/** What is known about a value: everything that follows from it if it is known, its refinements if not. */
export interface ValueRange extends Refinement {
  readonly type: Type;
  /** The value is known to be null. */
  readonly null?: true;
  /** The value is unknown and nothing was ever promised of it: then even infinity is in the range of a number. */
  readonly open?: true;
}

/**
 * What is known about a value without knowing it.
 *
 * @throws CtyError `MARKED` for a marked value.
 * @see go-cty Value.Range
 */
export function range(value: Value): ValueRange {
  if (isMarkedPayload(value.payload)) throw new CtyError("MARKED", "Value.Range on marked value; must be unmarked first");
  return { type: value.type, ...payloadRange(value.type, value.payload) };
}

/** The range of a payload that is not marked. */
export function payloadRange(type: Type, payload: Payload): Omit<ValueRange, "type"> {
  if (isUnknownPayload(payload)) return payload.refinement ?? { open: true };
  if (payload === null) return { null: true };
  if (type.kind === "string") return { notNull: true, prefix: payload as string };
  if (type.kind === "number") {
    const bound: NumberBound = { value: payload as NumberPayload, inclusive: true };
    return { notNull: true, min: bound, max: bound };
  }
  if (isCollectionType(type)) {
    const length = lengthBounds(type, payload);
    return length.min === length.max ? { notNull: true, lengthMin: length.min, lengthMax: length.max } : { notNull: true };
  }
  return { notNull: true };
}

/** Between which numbers the length of a known collection lies: unknown members of a set may turn out to be the same. */
export function lengthBounds(type: Type, payload: Payload): { readonly min: number; readonly max: number } {
  if (payload instanceof Map) return { min: payload.size, max: payload.size };
  const elements = payload as readonly Payload[];
  const open = type.kind === "set" && elements.length > 1 && !elements.every(isWhollyKnownPayload);
  return { min: open ? 1 : elements.length, max: elements.length };
}

/**
 * Whether a value is in the range: undefined while it cannot be told, which includes every value that fits.
 *
 * @see go-cty ValueRange.Includes
 */
export function rangeIncludes(range: ValueRange, value: Value): boolean | undefined {
  const payload = unmarkedPayload(value.payload);
  if (range.null) return payload === null;
  if (payload === null) return !range.notNull;
  return rangeExcludes(range.type, range.open ? undefined : range, value.type, payload) ? false : undefined;
}

/** Whether no value of the range can be the given one, which is not null and not marked. */
export function rangeExcludes(type: Type, refinement: Refinement | undefined, knownType: Type, known: Payload): boolean {
  if (!conforms(knownType, type)) return true;
  if (refinement === undefined || knownType.kind === "dynamic") return false;
  const { prefix, min, max, lengthMin, lengthMax } = refinement;
  if (prefix !== undefined && typeof known === "string" && !known.startsWith(prefix)) return true;
  if (isUnknownPayload(known)) return rangesApart(refinement, known.refinement ?? {});
  if (lengthMin !== undefined || lengthMax !== undefined) {
    const length = lengthBounds(knownType, known);
    if (length.max < (lengthMin ?? 0) || length.min > (lengthMax ?? Infinity)) return true;
  }
  if (type.kind !== "number") return false;
  return isBelow(known as NumberPayload, min ?? aboveNegativeInfinity) || isAbove(known as NumberPayload, max ?? belowPositiveInfinity);
}

/** What go-cty takes for the limits of a refined number that has none: infinity itself is beyond them. */
const aboveNegativeInfinity: NumberBound = { value: negativeInfinity, inclusive: false };
const belowPositiveInfinity: NumberBound = { value: positiveInfinity, inclusive: false };

function isBelow(x: NumberPayload, { value, inclusive }: NumberBound): boolean {
  return !(compareNumbers(x, value) > 0 || (inclusive && numbersEqual(x, value)));
}

function isAbove(x: NumberPayload, { value, inclusive }: NumberBound): boolean {
  return !(compareNumbers(x, value) < 0 || (inclusive && numbersEqual(x, value)));
}

/** Two ranges of numbers or lengths with nothing in common. */
function rangesApart(a: Refinement, b: Refinement): boolean {
  if ((a.lengthMin ?? 0) > (b.lengthMax ?? Infinity) || (b.lengthMin ?? 0) > (a.lengthMax ?? Infinity)) return true;
  return boundsApart(a.min, b.max) || boundsApart(b.min, a.max);
}

function boundsApart(min: NumberBound | undefined, max: NumberBound | undefined): boolean {
  return min !== undefined && max !== undefined && compareNumbers(max.value, min.value) < 0;
}
