// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "./error.ts";
import { payloadsSame, typedPayloadsEqual } from "./equality.ts";
import { childrenOf } from "./children.ts";
import { unmarkPayloadDeep, withMarks } from "./marks.ts";
import { hashPayload } from "./set-hash.ts";
import {
  containsMark,
  isMarkedPayload,
  isUnknownPayload,
  isWhollyKnownPayload,
  UNKNOWN_NOT_NULL,
  unmarkedPayload,
  type Mark,
  type Payload,
} from "./payload.ts";
import { bool, hasDynamic, isCollectionType, string, type BoolType, type Type } from "./type.ts";
import { valueOf, type Value } from "./value.ts";

/** Is the value null? Marks do not matter; an unknown value is not. */
export function isNull(value: Value): boolean {
  return unmarkedPayload(value.payload) === null;
}

/** Is the value known? What is inside may still be unknown; null is known. */
export function isKnown(value: Value): boolean {
  return !isUnknownPayload(unmarkedPayload(value.payload));
}

/** Are the value and everything inside known? */
export function isWhollyKnown(value: Value): boolean {
  return isWhollyKnownPayload(value.payload);
}

/**
 * Whether two values are equal: unknown while that is open. Two nulls are equal whatever their types, values of different
 * types never are. Marks of both, also inside, go to the result.
 *
 * @see go-cty Value.Equals
 */
export function equals(a: Value, b: Value): Value<BoolType> {
  const equal = typedPayloadsEqual(a.type, a.payload, b.type, b.payload);
  const result = valueOf(bool, equal ?? UNKNOWN_NOT_NULL);
  if (!containsMark(a.payload) && !containsMark(b.payload)) return result;
  // To tell null from anything else, nobody looks inside.
  const deep = isNull(a) === isNull(b);
  return withMarks(result, relevantMarks(a.payload, deep), relevantMarks(b.payload, deep));
}

function relevantMarks(payload: Payload, deep: boolean): ReadonlySet<Mark> {
  if (!deep) return isMarkedPayload(payload) ? payload.marks : new Set();
  const found = new Set<Mark>();
  unmarkPayloadDeep(payload, found);
  return found;
}

/**
 * Are two values exactly the same: type, marks, unknown parts and what is known about them? Numbers are compared as
 * {@link equals} does.
 *
 * @see go-cty Value.RawEquals
 */
export function same(a: Value, b: Value): boolean {
  return a === b || (a.type === b.type && payloadsSame(a.type, a.payload, b.payload));
}

/**
 * go-cty's 32-bit hash of the value, the same for equal values of a type (0 and -0 excepted).
 *
 * @throws CtyError `MARKED` if there is a mark on the value or inside.
 */
export function hash(value: Value): number {
  if (containsMark(value.payload)) {
    throw new CtyError("MARKED", "can't take hash of value that has marks or has embedded values that have marks");
  }
  return hashPayload(value.type, value.payload);
}

/** A value's elements, keys first, in go-cty's order: positions, map keys, attribute names; a set's elements twice. */
export function elements(value: Value): readonly (readonly [key: Value, element: Value])[] {
  const payload = value.payload;
  if (isMarkedPayload(payload)) throw new CtyError("MARKED", "value is marked, so must be unmarked first");
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "can't use ElementIterator on unknown value");
  if (payload === null) throw new CtyError("NULL", "can't use ElementIterator on null value");
  if (!hasElements(value.type)) throw new CtyError("MISUSE", "attempt to iterate on non-collection, non-tuple type");
  return Array.from(childrenOf(value.type, payload), (child) => {
    const key = child.step.kind === "attribute" ? valueOf(string, child.step.name) : child.step.key;
    return [key, valueOf(child.type, child.payload)] as const;
  });
}

/** Does {@link elements} have an answer for the value's type? Not for marked values. @see go-cty Value.CanIterateElements */
export function canIterateElements(value: Value): boolean {
  return !isMarkedPayload(value.payload) && hasElements(value.type);
}

/**
 * How many elements or attributes a value has, as a JavaScript number; of a set with unknown elements, how many it would have
 * if none of them were the same. {@link length} tells what is certain.
 *
 * @throws CtyError `MARKED`, `UNKNOWN` or `NULL` for such values, tuples and objects excepted; `MISUSE` for other types.
 * @see go-cty Value.LengthInt
 */
export function lengthInt({ type, payload }: Value): number {
  if (isMarkedPayload(payload)) throw new CtyError("MARKED", "value is marked, so must be unmarked first");
  if (type.kind === "tuple") return type.elements.length;
  if (type.kind === "object") return type.names.length;
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "value is not known");
  if (payload === null) throw new CtyError("NULL", "value is null");
  if (!isCollectionType(type)) throw new CtyError("MISUSE", "value is not a collection");
  return payload instanceof Map ? payload.size : (payload as readonly Payload[]).length;
}

/**
 * Is there no unknown value of unknown type on the value or inside? Null has a type, even if that is dynamic. Into marked
 * values nobody looks, as in go-cty.
 *
 * @see go-cty Value.HasWhollyKnownType
 */
export function hasWhollyKnownType(value: Value): boolean {
  const { type, payload } = value;
  const plain = unmarkedPayload(payload);
  if (plain === null) return true;
  if (isUnknownPayload(plain) && type.kind === "dynamic") return false;
  if (!canIterateElements(value)) return true;
  if (isUnknownPayload(plain)) return !hasDynamic(type);
  for (const child of childrenOf(type, plain)) if (!hasWhollyKnownType(valueOf(child.type, child.payload))) return false;
  return true;
}

function hasElements(type: Type): boolean {
  return type.kind !== "string" && type.kind !== "number" && type.kind !== "bool" && type.kind !== "dynamic" && type.kind !== "capsule";
}
