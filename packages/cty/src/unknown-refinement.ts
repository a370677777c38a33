// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "./ctystrings/normalize.ts";
import { safeKnownPrefix } from "./ctystrings/prefix.ts";
import { CtyError, misuse, nullRefused } from "./error.ts";
import { mostUnknownElements, promisedTooMuch } from "./limits.ts";
import type { BigFloat } from "./number/big-float.ts";
import {
  compareNumbers,
  negativeInfinity,
  numberFromBigint,
  numberFromJs,
  numbersEqual,
  positiveInfinity,
  type NumberPayload,
} from "./number/number.ts";
import {
  isNumberPayload,
  isUnknownPayload,
  markedPayload,
  REFINED_WITH_NOTHING,
  UNKNOWN,
  UNKNOWN_NOT_NULL,
  UnknownPayload,
  unmarkedPayload,
  type CollectionLength,
  type NumberBound,
  type Payload,
  type Refinement,
} from "./payload.ts";
import { dynamic, isCollectionType, number, string, type Type } from "./type.ts";
import { typeGoString } from "./type-names.ts";
import { valueGoString } from "./go-string.ts";
import { lengthBounds } from "./value-range.ts";
import { isValue, valueOf, type Value } from "./value.ts";
import { isMarkedPayload } from "./payload.ts";

type NumberInput = number | bigint | BigFloat | Value;

/** A bound of a number; inclusive unless it says otherwise. An unknown number says nothing. */
export type BoundInput = NumberInput | { readonly value: NumberInput; readonly inclusive: boolean };

/** What to promise about a value. */
export interface Refinements {
  readonly notNull?: boolean;
  /** The value is null: an unknown value becomes null. */
  readonly null?: boolean;
  /** Strings: how it starts. What the next character could combine with is cut off first. */
  readonly prefix?: string;
  /** Strings: how it starts, where it is certain that no later character combines with the prefix's last. */
  readonly prefixFull?: string;
  readonly min?: BoundInput;
  readonly max?: BoundInput;
  /** Collections: at least so many elements. */
  readonly lengthMin?: CollectionLength;
  /** Collections: at most so many elements. */
  readonly lengthMax?: CollectionLength;
}

/**
 * The value with more known about it. A known value is only checked against the promises; an unknown one becomes known
 * where they leave one possibility. A value of unknown type stays as it is.
 *
 * @throws CtyError `MISUSE` for a promise that contradicts the value or an earlier promise, or does not apply to the type.
 * @see go-cty RefinementBuilder
 */
export function refine<T extends Type>(value: Value<T>, refinements: Refinements): Value<T> {
  const payload = unmarkedPayload(value.payload);
  const refined = refinePayload(value.type, payload, refinements);
  if (refined === payload) return value;
  return valueOf(value.type, isMarkedPayload(value.payload) ? markedPayload(refined, value.payload.marks) : refined);
}

type Draft = { -readonly [Field in keyof Refinement]: Refinement[Field] };

/** {@link refine} for a payload without marks at its top. */
export function refinePayload(type: Type, payload: Payload, refinements: Refinements): Payload {
  if (type === dynamic && isUnknownPayload(payload)) return payload;
  const draft: Draft = isUnknownPayload(payload) ? { ...payload.refinement } : {};
  if (refinements.null) {
    if ((payload !== null && !isUnknownPayload(payload)) || draft.notNull) throw misuse("refining non-null value as null");
  }
  if (refinements.notNull) {
    if (payload === null || refinements.null) throw misuse("refining null value as non-null");
    draft.notNull = true;
  }
  if (refinements.min !== undefined) addBound(type, payload, draft, "min", refinements.min);
  if (refinements.max !== undefined) addBound(type, payload, draft, "max", refinements.max);
  if (refinements.lengthMin !== undefined) addLength(type, payload, draft, "lengthMin", refinements.lengthMin);
  if (refinements.lengthMax !== undefined) addLength(type, payload, draft, "lengthMax", refinements.lengthMax);
  if (refinements.prefix !== undefined) addPrefix(type, payload, draft, safeKnownPrefix(refinements.prefix));
  if (refinements.prefixFull !== undefined) addPrefix(type, payload, draft, normalizeString(refinements.prefixFull));
  if (!isUnknownPayload(payload)) return payload;
  return refinements.null ? null : collapse(type, draft);
}

function nullInside(): CtyError {
  return nullRefused("refining a null value as if it had a value");
}

function addBound(type: Type, payload: Payload, draft: Draft, side: "min" | "max", input: BoundInput): void {
  if (type !== number) throw misuse(`cannot refine numeric bounds for a ${typeGoString(type)} value`);
  const bound = boundOf(input, side);
  if (bound === undefined) return;
  if (payload === null) throw nullInside();
  // "Tighter" means larger for a lower bound and smaller for an upper one.
  const direction = side === "min" ? 1 : -1;
  const order = (a: NumberPayload, b: NumberPayload): number => direction * compareNumbers(a, b);
  if (isNumberPayload(payload)) {
    const excess = order(bound.value, payload);
    if (excess > 0 || (!bound.inclusive && numbersEqual(bound.value, payload))) {
      const relation = `${side === "min" ? ">" : "<"}${bound.inclusive ? "=" : ""}`;
      throw misuse(`refining ${valueGoString(type, payload)} to be ${relation} ${valueGoString(type, bound.value)}`);
    }
  }
  const known = draft[side];
  if (known !== undefined) {
    const change = order(bound.value, known.value);
    const tighter = change > 0 || (!(bound.inclusive && !known.inclusive) && numbersEqual(bound.value, known.value));
    if (!tighter) return;
  }
  // "More than -Inf" says nothing, if it is the constant.
  if (bound.value !== (side === "min" ? negativeInfinity : positiveInfinity)) draft[side] = bound;
  checkBounds(type, draft);
}

function boundOf(input: BoundInput, side: "min" | "max"): NumberBound | undefined {
  const { value: given, inclusive } = typeof input === "object" && "inclusive" in input ? input : { value: input, inclusive: true };
  const value = numberOf(given, side);
  return value === undefined ? undefined : { value, inclusive };
}

function numberOf(input: NumberInput, side: "min" | "max"): NumberPayload | undefined {
  const payload = isValue(input) ? unmarkedPayload(input.payload) : typeof input === "number" ? numberFromJs(input) : input;
  if (typeof payload === "bigint") return numberFromBigint(payload);
  if (payload === null) throw misuse(`number range ${side === "min" ? "lower" : "upper"} bound must not be null`);
  if (payload !== undefined && isUnknownPayload(payload)) return undefined;
  if (payload === undefined || !isNumberPayload(payload)) throw misuse("a bound must be a number");
  return payload;
}

/** go-cty compares strictly exactly where one bound is inclusive and the other is not. */
function checkBounds(type: Type, { min, max }: Draft): void {
  if (min === undefined || max === undefined) return;
  const order = compareNumbers(min.value, max.value);
  const consistent = order < 0 || (min.inclusive === max.inclusive && (order === 0 || numbersEqual(min.value, max.value)));
  if (consistent) return;
  const [lower, upper] = [valueGoString(type, min.value), valueGoString(type, max.value)];
  throw misuse(`number lower bound ${lower} is greater than upper bound ${upper}`);
}

function addLength(type: Type, payload: Payload, draft: Draft, side: "lengthMin" | "lengthMax", bound: CollectionLength): void {
  if (!isCollectionType(type)) throw misuse(`cannot refine collection length bounds for a ${typeGoString(type)} value`);
  if (payload === null) throw nullInside();
  const isMin = side === "lengthMin";
  if (!isUnknownPayload(payload)) {
    const { min, max } = lengthBounds(type, payload);
    if (isMin ? bound <= max : bound >= min) return;
    throw misuse(`refining collection of length cty.NumberIntVal(${max}) with ${isMin ? "lower" : "upper"} bound ${bound}`);
  }
  if (isMin ? bound > (draft.lengthMin ?? 0) : bound < (draft.lengthMax ?? Infinity)) draft[side] = bound;
  const { lengthMin = 0, lengthMax = Infinity } = draft;
  if (lengthMax < lengthMin) throw misuse(`collection length upper bound ${lengthMax} is less than lower bound ${lengthMin}`);
}

function addPrefix(type: Type, payload: Payload, draft: Draft, prefix: string): void {
  if (type !== string) throw misuse(`cannot refine string prefix for a ${typeGoString(type)} value`);
  if (typeof payload === "string" && !overlap(payload, prefix)) throw misuse("refined prefix is inconsistent with known value");
  const known = draft.prefix ?? "";
  if (!overlap(known, prefix)) throw misuse("refined prefix is inconsistent with previous refined prefix");
  if (prefix.length > known.length) draft.prefix = prefix;
}

/** As far as both reach, they are the same. */
function overlap(a: string, b: string): boolean {
  return a.length < b.length ? b.startsWith(a) : a.startsWith(b);
}

/** The unknown payload with this refinement, or the one value it leaves. @see go-cty RefinementBuilder.NewValue */
function collapse(type: Type, draft: Draft): Payload {
  if (draft.notNull) {
    const { min, max, lengthMin = 0, lengthMax } = draft;
    if (min?.inclusive && max?.inclusive && numbersEqual(min.value, max.value)) return min.value;
    if (lengthMax === 0) return type.kind === "map" ? new Map<string, Payload>() : [];
    if (lengthMin === lengthMax && type.kind === "list") return unknownElements(lengthMin);
    if (lengthMin === lengthMax && lengthMin === 1 && type.kind === "set") return [UNKNOWN];
  }
  return unknownPayload(draft);
}

function unknownElements(count: CollectionLength): readonly Payload[] {
  const length = Number(count);
  if (length > mostUnknownElements) throw new CtyError("LIMIT", promisedTooMuch);
  return Array.from({ length }, () => UNKNOWN);
}

/** The unknown payload with this refinement; the shared ones where there is one. */
function unknownPayload(refinement: Refinement): UnknownPayload {
  const fields = Object.keys(refinement).length;
  if (fields === 0) return REFINED_WITH_NOTHING;
  return fields === 1 && refinement.notNull ? UNKNOWN_NOT_NULL : new UnknownPayload(refinement);
}
