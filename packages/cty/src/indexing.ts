// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "./error.ts";
import { payloadsEqual } from "./equality.ts";
import { isInteger, topExponent, truncated } from "./number/binary.ts";
import { binaryOf, numberFromBigint, numberSign, type NumberPayload } from "./number/number.ts";
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
} from "./payload.ts";
import { hashText } from "./set-hash.ts";
import { bool, dynamic, isCollectionType, number, string, type BoolType, type NumberType, type Type } from "./type.ts";
import { typeGoString } from "./type-names.ts";
import { refinePayload } from "./unknown-refinement.ts";
import { lengthBounds, payloadRange } from "./value-range.ts";
import { valueOf, type Value } from "./value.ts";
import { normalizeString } from "./ctystrings/normalize.ts";

/** A key as {@link index} and {@link hasIndex} take it: a position, a map key, or either as a value. */
export type Key = number | string | Value;

function keyValue(key: Key): Value {
  if (typeof key === "number") return valueOf(number, key);
  return typeof key === "string" ? valueOf(string, normalizeString(key)) : key;
}

/** Applies an operation to two values without their marks, which go to the result. */
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
 * An element of a list, tuple or map; unknown if the collection or the key is. A key that a map does not have gives null,
 * as in go-cty; a position outside a list is an error: ask {@link hasIndex} first.
 *
 * @throws CtyError `MISUSE` for other types and keys, `NULL` for null.
 * @see go-cty Value.Index
 */
export function index(value: Value, key: Key): Value {
  return unmarkedPair(value, keyValue(key), elementAt);
}

function elementAt({ type, payload }: Value, key: Value): Value {
  if (type.kind === "dynamic") return valueOf(dynamic, UNKNOWN);
  if (type.kind !== "list" && type.kind !== "map" && type.kind !== "tuple") throw new CtyError("MISUSE", "not a list, map, or tuple type");
  const keyType = type.kind === "map" ? string : number;
  const unknownElement = type.kind === "tuple" ? dynamic : type.element;
  if (key.type.kind === "dynamic") return valueOf(unknownElement, UNKNOWN);
  if (key.type !== keyType) throw new CtyError("MISUSE", `element key for ${type.kind} must be ${keyType.kind}`);
  if (isUnknownPayload(key.payload) || (isUnknownPayload(payload) && type.kind !== "tuple")) return valueOf(unknownElement, UNKNOWN);
  if (key.payload === null) throw new CtyError("NULL", "can't use a null value as an indexing key");
  const position = type.kind === "map" ? undefined : positionOf(key.payload as NumberPayload);
  if (type.kind !== "map" && position === undefined) throw new CtyError("MISUSE", "element key for list must be non-negative integer");
  if (payload === null) throw new CtyError("NULL", "can't index a null value");
  if (type.kind === "map") return valueOf(type.element, (payload as ReadonlyMap<string, Payload>).get(key.payload as string) ?? null);
  const elementType = type.kind === "list" ? type.element : type.elements[position!];
  const element = isUnknownPayload(payload) ? UNKNOWN : (payload as readonly Payload[])[position!];
  if (elementType === undefined || element === undefined) throw new CtyError("MISUSE", `index out of range: ${position}`);
  return valueOf(elementType, element);
}

/** A non-negative integer of 64 bits as a position; undefined for other numbers. */
function positionOf(key: NumberPayload): number | undefined {
  if (typeof key === "number") return Number.isInteger(key) && key >= 0 ? key : undefined;
  const binary = binaryOf(key);
  if (!isInteger(binary) || numberSign(key) < 0 || topExponent(binary) > 63) return undefined;
  return Number(truncated(binary));
}

/**
 * Does a list, tuple or map have an element at the key? False for keys of the wrong type, unknown where either is unknown.
 *
 * @throws CtyError `MISUSE` for other types.
 * @see go-cty Value.HasIndex
 */
export function hasIndex(value: Value, key: Key): Value<BoolType> {
  return unmarkedPair(value, keyValue(key), (container, plainKey) => valueOf(bool, isIndexOf(container, plainKey))) as Value<BoolType>;
}

function isIndexOf({ type, payload }: Value, key: Value): Payload {
  if (type.kind === "dynamic") return UNKNOWN_NOT_NULL;
  if (type.kind !== "list" && type.kind !== "map" && type.kind !== "tuple") throw new CtyError("MISUSE", "not a list, map, or tuple type");
  if (key.type.kind === "dynamic") return UNKNOWN_NOT_NULL;
  if (key.type !== (type.kind === "map" ? string : number)) return false;
  if (isUnknownPayload(key.payload)) return UNKNOWN_NOT_NULL;
  if (isUnknownPayload(payload) && type.kind !== "tuple") return UNKNOWN_NOT_NULL;
  if (key.payload === null) throw new CtyError("NULL", "can't use a null value as an indexing key");
  const position = type.kind === "map" ? undefined : positionOf(key.payload as NumberPayload);
  if (type.kind !== "map" && position === undefined) return false;
  if (type.kind === "tuple") return position! < type.elements.length;
  if (payload === null) throw new CtyError("NULL", "can't index a null value");
  if (type.kind === "map") return (payload as ReadonlyMap<string, Payload>).has(key.payload as string);
  return position! < (payload as readonly Payload[]).length;
}

/**
 * Is a value a member of a set? Unknown where either is unknown, and where no member is known to be it but some are unknown.
 *
 * @throws CtyError `MISUSE` for what is no set, `NULL` for null.
 * @see go-cty Value.HasElement
 */
export function hasElement(value: Value, element: Value): Value<BoolType> {
  return unmarkedPair(value, element, (set, candidate) => valueOf(bool, isElementOf(set, candidate))) as Value<BoolType>;
}

function isElementOf({ type, payload }: Value, element: Value): Payload {
  if (payload === null) throw new CtyError("NULL", "cannot HasElement on null value");
  if (isUnknownPayload(payload)) return UNKNOWN_NOT_NULL;
  if (type.kind !== "set") throw new CtyError("MISUSE", "not a set type");
  const elementType = type.element;
  if (element.type.kind !== "dynamic" && elementType.kind !== "dynamic" && element.type !== elementType) return false;
  if (isUnknownPayload(element.payload)) return UNKNOWN_NOT_NULL;
  if (element.type !== elementType) return false;
  if (containsMark(element.payload)) {
    throw new CtyError("MARKED", "can't take hash of value that has marks or has embedded values that have marks");
  }
  const members = payload as readonly Payload[];
  if (hasMember(elementType, members, element.payload)) return true;
  return members.every(isWhollyKnownPayload) ? false : UNKNOWN_NOT_NULL;
}

/** Is there a member of a set's payload with the same hash that is known to be equal? */
export function hasMember(elementType: Type, members: readonly Payload[], element: Payload): boolean {
  const hash = hashText(elementType, element);
  return members.some((member) => payloadsEqual(elementType, member, element) === true && hashText(elementType, member) === hash);
}

/** What stands for an unlimited length in Go, and on the wire. */
const maxLength: NumberPayload = numberFromBigint(9223372036854775807n);

/**
 * How many elements a collection has, attributes an object. Unknown, but with bounds, for unknown collections and for sets
 * with unknown members, which may turn out to be the same.
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
    if (!isCollectionType(type) && type.kind !== "dynamic") throw new CtyError("MISUSE", `LengthLowerBound for ${typeGoString(type)}`);
    const { lengthMin = 0, lengthMax } = payloadRange(type, payload);
    return refinePayload(number, UNKNOWN, { notNull: true, min: lengthMin, max: lengthMax ?? maxLength });
  }
  if (type.kind === "object") return type.names.length;
  if (payload === null) throw new CtyError("NULL", "value is null");
  if (!isCollectionType(type)) throw new CtyError("MISUSE", "value is not a collection");
  const { min, max } = lengthBounds(type, payload);
  return refinePayload(number, UNKNOWN, { notNull: true, min, max });
}
