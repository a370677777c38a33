// SPDX-License-Identifier: Apache-2.0
import { maxLength } from "../error/limits.ts";
import { CtyError, misuse, nullRefused } from "../error/error.ts";
import { payloadsEqual } from "../equality/equality.ts";
import { isInteger, topExponent, truncated } from "../binary/binary.ts";
import { binaryOf, numberSign } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import {
  containsMark,
  isMarkedPayload,
  isUnknownPayload,
  isWhollyKnownPayload,
  markedPayload,
  UNKNOWN,
  UNKNOWN_NOT_NULL,
  unmarkedPayload,
  type Payload,
} from "../payload/payload.ts";
import { hashText } from "../equality/set-hash.ts";
import { bool, dynamic, isCollectionType, number, partType, string } from "../type/type.ts";
import type { BoolType, NumberType, Type } from "../model/type.ts";
import { typeGoString } from "../type/type-names.ts";
import { refinePayload } from "../refinement/unknown-refinement.ts";
import { lengthBounds, payloadRange } from "../refinement/value-range.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { normalizeString } from "../text/normalize.ts";

/** A key for {@link index} and {@link hasIndex}: a position, a map key, or either of them as a value. */
export type Key = number | string | Value;

function keyValue(key: Key): Value {
  if (typeof key === "number") return valueOf(number, key);
  return typeof key === "string" ? valueOf(string, normalizeString(key)) : key;
}

/** Applies an operation to two values without their marks, and puts the marks on the result. */
function unmarkedPair(a: Value, b: Value, operation: (a: Value, b: Value) => Value): Value {
  const left = isMarkedPayload(a.payload) ? a.payload : undefined;
  const right = isMarkedPayload(b.payload) ? b.payload : undefined;
  if (left === undefined && right === undefined) return operation(a, b);
  const result = operation(valueOf(a.type, unmarkedPayload(a.payload)), valueOf(b.type, unmarkedPayload(b.payload)));
  let payload = result.payload;
  for (const marked of [left, right]) if (marked !== undefined) payload = markedPayload(payload, marked.marks);
  return valueOf(result.type, payload);
}

/**
 * An element of a list, tuple or map; unknown if the collection or the key is unknown. As in go-cty, the result for a key that a map
 * does not have is null. A position outside a list is an error: call {@link hasIndex} first.
 *
 * @throws CtyError `MISUSE` for other types and keys, `NULL` for null.
 * @see go-cty Value.Index
 */
export function index(value: Value, key: Key): Value {
  return unmarkedPair(value, keyValue(key), elementAt);
}

/** A position, a map key, or the problem of an invalid key; undefined if the key or the collection is unknown. */
type Place = number | string | { readonly problem: string } | undefined;

function placeIn({ type, payload }: Value, key: Value): Place {
  if (type === dynamic) return undefined;
  if (type.kind !== "list" && type.kind !== "map" && type.kind !== "tuple") throw misuse("not a list, map, or tuple type");
  if (key.type === dynamic) return undefined;
  const keyType = type.kind === "map" ? string : number;
  if (key.type !== keyType) return { problem: `element key for ${type.kind} must be ${keyType.kind}` };
  if (isUnknownPayload(key.payload) || (isUnknownPayload(payload) && type.kind !== "tuple")) return undefined;
  if (key.payload === null) throw nullRefused("can't use a null value as an indexing key");
  const place = keyType === string ? (key.payload as string) : positionOf(key.payload as NumberPayload);
  if (place === undefined) return { problem: "element key for list must be non-negative integer" };
  if (payload === null && type.kind !== "tuple") throw nullContainer();
  return place;
}

function nullContainer(): CtyError {
  return nullRefused("can't index a null value");
}

function elementAt(container: Value, key: Value): Value {
  const { type, payload } = container;
  const place = placeIn(container, key);
  if (typeof place === "object") throw misuse(place.problem);
  if (place === undefined) return valueOf(isCollectionType(type) ? type.element : dynamic, UNKNOWN);
  if (payload === null) throw nullContainer();
  if (typeof place === "string") return valueOf(partType(type, 0), (payload as ReadonlyMap<string, Payload>).get(place) ?? null);
  const element = isUnknownPayload(payload) ? UNKNOWN : (payload as readonly Payload[])[place];
  if (element === undefined || (type.kind === "tuple" && place >= type.elements.length)) throw misuse(`index out of range: ${place}`);
  return valueOf(partType(type, place), element);
}

/** A non-negative integer of 64 bits as a position; undefined for other numbers. */
function positionOf(key: NumberPayload): number | undefined {
  if (typeof key === "number") return Number.isInteger(key) && key >= 0 ? key : undefined;
  const binary = binaryOf(key);
  if (!isInteger(binary) || numberSign(key) < 0 || topExponent(binary) > 63) return undefined;
  return Number(truncated(binary));
}

/**
 * Whether a list, tuple or map has an element for the key. False for keys of the wrong type; unknown if the value or the key is
 * unknown.
 *
 * @throws CtyError `MISUSE` for other types.
 * @see go-cty Value.HasIndex
 */
export function hasIndex(value: Value, key: Key): Value<BoolType> {
  return unmarkedPair(value, keyValue(key), (container, plainKey) => valueOf(bool, isIndexOf(container, plainKey))) as Value<BoolType>;
}

function isIndexOf(container: Value, key: Value): Payload {
  const { type, payload } = container;
  const place = placeIn(container, key);
  if (place === undefined) return UNKNOWN_NOT_NULL;
  if (typeof place === "object") return false;
  if (typeof place === "string") return (payload as ReadonlyMap<string, Payload>).has(place);
  return place < (type.kind === "tuple" ? type.elements : (payload as readonly Payload[])).length;
}

/**
 * Whether a value is a member of a set. Unknown if either is unknown, or if no known member is equal but the set has unknown members.
 *
 * @throws CtyError `MISUSE` for a value that is not a set, `NULL` for null.
 * @see go-cty Value.HasElement
 */
export function hasElement(value: Value, element: Value): Value<BoolType> {
  return unmarkedPair(value, element, (set, candidate) => valueOf(bool, isElementOf(set, candidate))) as Value<BoolType>;
}

function isElementOf({ type, payload }: Value, element: Value): Payload {
  if (payload === null) throw nullRefused("cannot HasElement on null value");
  if (isUnknownPayload(payload)) return UNKNOWN_NOT_NULL;
  if (type.kind !== "set") throw misuse("not a set type");
  const elementType = type.element;
  if (element.type !== dynamic && elementType !== dynamic && element.type !== elementType) return false;
  if (isUnknownPayload(element.payload)) return UNKNOWN_NOT_NULL;
  if (element.type !== elementType) return false;
  if (containsMark(element.payload)) {
    throw new CtyError("MARKED", "can't take hash of value that has marks or has embedded values that have marks");
  }
  const members = payload as readonly Payload[];
  if (hasMember(elementType, members, element.payload)) return true;
  return members.every(isWhollyKnownPayload) ? false : UNKNOWN_NOT_NULL;
}

/** Whether the payload of a set has a member with the same hash that is known to be equal. */
export function hasMember(elementType: Type, members: readonly Payload[], element: Payload): boolean {
  const hash = hashText(elementType, element);
  return members.some((member) => payloadsEqual(elementType, member, element) === true && hashText(elementType, member) === hash);
}

/**
 * Returns the number of elements of a collection, or of attributes of an object. The result is unknown, with bounds, for unknown
 * collections and for sets with unknown members, which may turn out to be equal.
 *
 * @throws CtyError `MISUSE` for other types, `NULL` for null.
 * @see go-cty Value.Length
 */
export function length(value: Value): Value<NumberType> {
  const payload = unmarkedPayload(value.payload);
  const result = lengthPayload(value.type, payload);
  return valueOf(number, isMarkedPayload(value.payload) ? markedPayload(result, value.payload.marks) : result);
}

function lengthPayload(type: Type, payload: Payload): Payload {
  if (type.kind === "tuple") return type.elements.length;
  if (isUnknownPayload(payload)) {
    if (!isCollectionType(type) && type !== dynamic) throw misuse(`LengthLowerBound for ${typeGoString(type)}`);
    const { lengthMin = 0, lengthMax } = payloadRange(type, payload);
    return refinePayload(number, UNKNOWN, { notNull: true, min: lengthMin, max: lengthMax ?? maxLength });
  }
  if (type.kind === "object") return type.names.length;
  if (payload === null) throw nullRefused("value is null");
  if (!isCollectionType(type)) throw misuse("value is not a collection");
  const { min, max } = lengthBounds(type, payload);
  return refinePayload(number, UNKNOWN, { notNull: true, min, max });
}
