// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../text/normalize.ts";
import { safeKnownPrefix } from "../text/prefix.ts";
import { CtyError, misuse, nullRefused } from "../error/error.ts";
import type { BigFloat, NumberPayload } from "../payload/number-payload.ts";
import { maxLength, maxUnknownElements, unknownElementsMessage } from "../error/limits.ts";
import { compareNumbers, negativeInfinity, numberFromBigint, numberFromJs, numbersEqual, positiveInfinity } from "../number/number.ts";
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
  isMarkedPayload,
} from "../payload/payload.ts";
import { dynamic, isCollectionType, number, string } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { typeGoString } from "../type/type-names.ts";
import { valueGoString } from "../value/go-string.ts";
import { lengthBounds } from "./value-range.ts";
import { isValue, valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

type NumberInput = number | bigint | BigFloat | Value;

/** A bound of a number, inclusive by default. An unknown number has no effect. */
export type BoundInput = NumberInput | { readonly value: NumberInput; readonly inclusive: boolean };

/** Properties that a value is known to have. */
export interface Refinements {
  /** The value is not null. */
  readonly notNull?: boolean;
  /** The value is null: an unknown value becomes null. */
  readonly null?: boolean;
  /** Strings: the start of the value. Characters that the next one could combine with are removed first. */
  readonly prefix?: string;
  /** Strings: the start of the value, if it is certain that the next character does not combine with the last one of the prefix. */
  readonly prefixFull?: string;
  /** Numbers: lower bound. */
  readonly min?: BoundInput;
  /** Numbers: upper bound. */
  readonly max?: BoundInput;
  /** Collections: minimum number of elements. */
  readonly lengthMin?: CollectionLength;
  /** Collections: maximum number of elements. */
  readonly lengthMax?: CollectionLength;
}

/**
 * Returns the value with refinements added. A known value is only checked against them. An unknown value becomes known if only one
 * value remains possible. An unknown value of dynamic type is not changed.
 *
 * @param refinements - all promises of one step. Several can be of the same kind, such as two lower bounds: they apply in order,
 * and an unknown value becomes known only after the last one.
 * @throws CtyError `MISUSE` for a promise that contradicts the value or an earlier promise, or does not apply to the type.
 * @see go-cty RefinementBuilder
 */
export function refine<T extends Type>(value: Value<T>, ...refinements: readonly Refinements[]): Value<T> {
  const payload = unmarkedPayload(value.payload);
  const refined = refinePayload(value.type, payload, ...refinements);
  if (refined === payload) return value;
  return valueOf(value.type, isMarkedPayload(value.payload) ? markedPayload(refined, value.payload.marks) : refined);
}

type Draft = { -readonly [Field in keyof Refinement]: Refinement[Field] };

/** Like {@link refine}, for a payload that is not marked itself. */
export function refinePayload(type: Type, payload: Payload, ...refinements: readonly Refinements[]): Payload {
  if (type === dynamic && isUnknownPayload(payload)) return payload;
  const draft: Draft = isUnknownPayload(payload) ? { ...payload.refinement } : {};
  let becomesNull = false;
  for (const step of refinements) {
    if (step.null) {
      if ((payload !== null && !isUnknownPayload(payload)) || draft.notNull) throw misuse("refining non-null value as null");
      becomesNull = true;
    }
    if (step.notNull) {
      if (payload === null || becomesNull) throw misuse("refining null value as non-null");
      draft.notNull = true;
    }
    if (step.min !== undefined) addBound(type, payload, draft, "min", step.min);
    if (step.max !== undefined) addBound(type, payload, draft, "max", step.max);
    if (step.lengthMin !== undefined) addLength(type, payload, draft, "lengthMin", step.lengthMin);
    if (step.lengthMax !== undefined) addLength(type, payload, draft, "lengthMax", step.lengthMax);
    if (step.prefix !== undefined) addPrefix(type, payload, draft, safeKnownPrefix(step.prefix));
    if (step.prefixFull !== undefined) addPrefix(type, payload, draft, normalizeString(step.prefixFull));
  }
  if (!isUnknownPayload(payload)) return payload;
  return becomesNull ? null : collapse(type, draft);
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
  // A bound that is the constant infinity has no effect.
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

/** Checks that the bounds leave a number. As in go-cty, equal bounds are allowed only if both are inclusive or both are not. */
function checkBounds(type: Type, { min, max }: Draft): void {
  if (min === undefined || max === undefined) return;
  const order = compareNumbers(min.value, max.value);
  const consistent = order < 0 || (min.inclusive === max.inclusive && (order === 0 || numbersEqual(min.value, max.value)));
  if (consistent) return;
  const [lower, upper] = [valueGoString(type, min.value), valueGoString(type, max.value)];
  throw misuse(`number lower bound ${lower} is greater than upper bound ${upper}`);
}

function addLength(type: Type, payload: Payload, draft: Draft, side: "lengthMin" | "lengthMax", input: CollectionLength): void {
  if (!isCollectionType(type)) throw misuse(`cannot refine collection length bounds for a ${typeGoString(type)} value`);
  if (payload === null) throw nullInside();
  const narrow = Number(input);
  const bound = Number.isSafeInteger(narrow) ? narrow : input;
  const isMin = side === "lengthMin";
  // In go-cty, the largest length stands for no limit.
  if (!isMin && bound >= maxLength) return;
  if (bound > maxLength || !Number.isInteger(narrow)) throw misuse(`invalid length ${input}`);
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

/** Whether one text is a prefix of the other. */
function overlap(a: string, b: string): boolean {
  return a.length < b.length ? b.startsWith(a) : a.startsWith(b);
}

/** Returns the unknown payload with this refinement, or the only value that the refinement allows. @see go-cty RefinementBuilder.NewValue */
function collapse(type: Type, draft: Draft): Payload {
  if (draft.notNull) {
    const { min, max, lengthMin = 0, lengthMax = maxLength } = draft;
    if (min?.inclusive && max?.inclusive && numbersEqual(min.value, max.value)) return min.value;
    if (lengthMax === 0) return type.kind === "map" ? new Map<string, Payload>() : [];
    if (lengthMin === lengthMax && type.kind === "list") return unknownElements(lengthMin);
    if (lengthMin === lengthMax && lengthMin === 1 && type.kind === "set") return [UNKNOWN];
  }
  return unknownPayload(draft);
}

function unknownElements(count: CollectionLength): readonly Payload[] {
  const length = Number(count);
  if (length > maxUnknownElements) throw new CtyError("LIMIT", unknownElementsMessage);
  return Array.from({ length }, () => UNKNOWN);
}

/** Returns the unknown payload with this refinement; a shared object where there is one. */
function unknownPayload(refinement: Refinement): UnknownPayload {
  const fields = Object.keys(refinement).length;
  if (fields === 0) return REFINED_WITH_NOTHING;
  return fields === 1 && refinement.notNull ? UNKNOWN_NOT_NULL : new UnknownPayload(refinement);
}
