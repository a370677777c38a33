// SPDX-License-Identifier: Apache-2.0
import type { BigFloat, NumberPayload } from "./number-payload.ts";
import { singleton } from "./singleton.ts";

/**
 * The content of a value, without its type:
 * - string: a string in normal form C; bool: a boolean; number: see {@link NumberPayload};
 * - list and tuple: an array; set: an array without duplicates in canonical order;
 * - object: an array with a slot for each attribute, in the order of the type's `names`;
 * - map: a Map whose keys are in normal form C and sorted by code point;
 * - null, unknown, marked and capsule payloads can stand for any of these.
 *
 * A payload has no type inside: where the type is dynamic, the payload is null or unknown.
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

/** A mark: any JavaScript value. Marks are compared as the members of a Set are. */
export type Mark = unknown;

/** A lower or upper bound of a number. */
export interface NumberBound {
  readonly value: NumberPayload;
  readonly inclusive: boolean;
}

/** What is known about an unknown value. An absent field means that nothing is known. */
export interface Refinement {
  /** The value is not null. */
  readonly notNull?: true;
  /** Strings: the start of the value. */
  readonly prefix?: string;
  /** Numbers: lower bound. */
  readonly min?: NumberBound;
  /** Numbers: upper bound. */
  readonly max?: NumberBound;
  /** Collections: minimum number of elements; absent for 0. */
  readonly lengthMin?: CollectionLength;
  /** Collections: maximum number of elements; absent for no limit. */
  readonly lengthMax?: CollectionLength;
}

/** Number of elements of a collection. A bigint beyond 2^53, which only refinements in untrusted input reach. */
export type CollectionLength = number | bigint;

/** The payload of an unknown value. */
export class UnknownPayload {
  readonly kind = "unknown" as const;
  /** What is known about the value; undefined if it was never refined. */
  readonly refinement: Refinement | undefined;

  constructor(refinement: Refinement | undefined) {
    this.refinement = refinement;
  }
}

/** A payload with marks on it. */
export class MarkedPayload {
  readonly kind = "marked" as const;
  /** The payload without the marks on it. Marks may be inside. */
  readonly payload: Payload;
  /** The marks; never empty. */
  readonly marks: ReadonlySet<Mark>;

  constructor(payload: Payload, marks: ReadonlySet<Mark>) {
    this.payload = payload;
    this.marks = marks;
  }
}

/** The payload of a capsule: a native value. */
export class CapsulePayload {
  readonly kind = "capsule" as const;
  readonly native: unknown;

  constructor(native: unknown) {
    this.native = native;
  }
}

/** The unknown value without refinements. */
export const UNKNOWN: UnknownPayload = singleton("unknown", () => new UnknownPayload(undefined));
/** An unknown value that was refined without a result. go-cty does not consider it the same as {@link UNKNOWN}. */
export const REFINED_WITH_NOTHING: UnknownPayload = singleton("refined-with-nothing", () => new UnknownPayload({}));
/** The unknown value that is known not to be null. */
export const UNKNOWN_NOT_NULL: UnknownPayload = singleton("unknown-not-null", () => new UnknownPayload({ notNull: true }));

function kindOf(payload: Payload): string | undefined {
  // Arrays and maps have no such property; asking for it with `in` first would take twice as long.
  return typeof payload === "object" && payload !== null ? (payload as { readonly kind?: string }).kind : undefined;
}

/** Whether the payload is that of an unknown value. */
export function isUnknownPayload(payload: Payload): payload is UnknownPayload {
  return kindOf(payload) === "unknown";
}

/** Whether the payload itself is marked. */
export function isMarkedPayload(payload: Payload): payload is MarkedPayload {
  return kindOf(payload) === "marked";
}

/** Whether the payload is that of a known number. */
export function isNumberPayload(payload: Payload): payload is NumberPayload {
  return typeof payload === "number" || kindOf(payload) === "number";
}

/** Whether the payload is that of a capsule. */
export function isCapsulePayload(payload: Payload): payload is CapsulePayload {
  return kindOf(payload) === "capsule";
}

/** Returns the payload without its own marks. */
export function unmarkedPayload(payload: Payload): Exclude<Payload, MarkedPayload> {
  return isMarkedPayload(payload) ? (payload.payload as Exclude<Payload, MarkedPayload>) : payload;
}

/** Returns the payload with marks added; the same payload if there is no mark to add. */
export function markedPayload(payload: Payload, marks: ReadonlySet<Mark>): Payload {
  if (marks.size === 0) return payload;
  if (!isMarkedPayload(payload)) return new MarkedPayload(payload, marks);
  if (marks.isSubsetOf(payload.marks)) return payload;
  return new MarkedPayload(payload.payload, payload.marks.union(marks));
}

/** Whether two sets hold the same marks. */
export function sameMarks(a: ReadonlySet<Mark>, b: ReadonlySet<Mark>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}

/** Whether there is a mark on the payload or anywhere inside. */
export function containsMark(payload: Payload): boolean {
  return typeof payload === "object" && (isMarkedPayload(payload) || hasPart(payload, containsMark));
}

/** Whether the payload contains no unknown value. Null is known. */
export function isWhollyKnownPayload(payload: Payload): boolean {
  return !containsUnknown(payload);
}

function containsUnknown(payload: Payload): boolean {
  const plain = unmarkedPayload(payload);
  return isUnknownPayload(plain) || hasPart(plain, containsUnknown);
}

/** Whether the test holds for a direct part of a compound payload. Values are scanned often: an array is faster here than iterator helpers. */
function hasPart(payload: Payload, test: (part: Payload) => boolean): boolean {
  const parts = payload instanceof Map ? [...payload.values()] : payload;
  return Array.isArray(parts) && (parts as Payload[]).some(test);
}
