// SPDX-License-Identifier: Apache-2.0
import type { BigFloat } from "./number/big-float.ts";
import type { NumberPayload } from "./number/number.ts";
import { singleton } from "./registry.ts";

/**
 * What a value holds, without its type:
 * - string: a string in normal form C; bool: a boolean; number: see {@link NumberPayload};
 * - list and tuple: an array; set: an array without duplicates in canonical order;
 * - object: an array with a slot for each attribute, in the order of the type's `names`;
 * - map: a Map whose keys are in normal form C and sorted by code point;
 * - null, unknown, marked and capsule payloads can stand for any of these.
 *
 * Types stand in the value alone: where the type is dynamic the payload is null or unknown.
 */
export type Payload =
  | string
  | boolean
  | number
  | BigFloat
  | readonly Payload[]
  | ReadonlyMap<string, Payload>
  | null
  | UnknownPayload
  | MarkedPayload
  | CapsulePayload;

/** Anything a mark can be: compared as a Set compares. */
export type Mark = unknown;

export interface NumberBound {
  readonly value: NumberPayload;
  readonly inclusive: boolean;
}

/** What is known about an unknown value. An absent field says nothing. */
export interface Refinement {
  readonly notNull?: true;
  /** Strings: the value starts with this. */
  readonly prefix?: string;
  readonly min?: NumberBound;
  readonly max?: NumberBound;
  /** Collections: at least so many elements; absent for 0. */
  readonly lengthMin?: CollectionLength;
  /** Collections: at most so many elements; absent where there is no limit. */
  readonly lengthMax?: CollectionLength;
}

/** A bigint only beyond 2^53, which no collection reaches, but promises from elsewhere may. */
export type CollectionLength = number | bigint;

export class UnknownPayload {
  readonly kind = "unknown" as const;
  /** Undefined if the value was never refined. */
  readonly refinement: Refinement | undefined;

  constructor(refinement: Refinement | undefined) {
    this.refinement = refinement;
  }
}

export class MarkedPayload {
  readonly kind = "marked" as const;
  /** Not marked itself, but marks may be inside. */
  readonly payload: Payload;
  /** Never empty. */
  readonly marks: ReadonlySet<Mark>;

  constructor(payload: Payload, marks: ReadonlySet<Mark>) {
    this.payload = payload;
    this.marks = marks;
  }
}

/** A native value of a capsule type; natives without `equals` operations are equal when they are identical. */
export class CapsulePayload {
  readonly kind = "capsule" as const;
  readonly native: unknown;

  constructor(native: unknown) {
    this.native = native;
  }
}

/** The unknown value without refinements. */
export const UNKNOWN: UnknownPayload = singleton("unknown", () => new UnknownPayload(undefined));
/** An unknown value that was refined without anything becoming known: for go-cty it is not the same as {@link UNKNOWN}. */
export const REFINED_WITH_NOTHING: UnknownPayload = singleton("refined-with-nothing", () => new UnknownPayload({}));
/** The unknown value of which is known that it is not null. */
export const UNKNOWN_NOT_NULL: UnknownPayload = singleton("unknown-not-null", () => new UnknownPayload({ notNull: true }));

function kindOf(payload: Payload): string | undefined {
  return typeof payload === "object" && payload !== null && "kind" in payload ? payload.kind : undefined;
}

export function isUnknownPayload(payload: Payload): payload is UnknownPayload {
  return kindOf(payload) === "unknown";
}

export function isMarkedPayload(payload: Payload): payload is MarkedPayload {
  return kindOf(payload) === "marked";
}

export function isNumberPayload(payload: Payload): payload is NumberPayload {
  return typeof payload === "number" || kindOf(payload) === "number";
}

export function isCapsulePayload(payload: Payload): payload is CapsulePayload {
  return kindOf(payload) === "capsule";
}

/** The payload without marks at its top. */
export function unmarkedPayload(payload: Payload): Exclude<Payload, MarkedPayload> {
  return isMarkedPayload(payload) ? (payload.payload as Exclude<Payload, MarkedPayload>) : payload;
}

/** The payload with marks added; the same payload if there is none to add. */
export function markedPayload(payload: Payload, marks: ReadonlySet<Mark>): Payload {
  if (marks.size === 0) return payload;
  if (!isMarkedPayload(payload)) return new MarkedPayload(payload, marks);
  if (marks.isSubsetOf(payload.marks)) return payload;
  return new MarkedPayload(payload.payload, payload.marks.union(marks));
}

/** Is there a mark on the payload or anywhere inside? */
export function containsMark(payload: Payload): boolean {
  return typeof payload === "object" && (isMarkedPayload(payload) || hasPart(payload, containsMark));
}

/** Is there nothing unknown in the payload? Null counts as known. */
export function isWhollyKnownPayload(payload: Payload): boolean {
  return !containsUnknown(payload);
}

function containsUnknown(payload: Payload): boolean {
  const plain = unmarkedPayload(payload);
  return isUnknownPayload(plain) || hasPart(plain, containsUnknown);
}

/** Does the test hold for a direct part of a compound payload? */
function hasPart(payload: Payload, test: (part: Payload) => boolean): boolean {
  if (Array.isArray(payload)) return payload.some((part) => test(part as Payload));
  return payload instanceof Map && payload.values().some(test);
}
