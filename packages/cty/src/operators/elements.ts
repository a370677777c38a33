// SPDX-License-Identifier: Apache-2.0
import { childrenOf } from "../value/children.ts";
import { CtyError, misuse, nullRefused } from "../error/error.ts";
import { isMarkedPayload, isUnknownPayload, unmarkedPayload, type Payload } from "../payload/payload.ts";
import { dynamic, hasDynamic, isCollectionType, number, partType, string } from "../type/type.ts";
import type { MapType, Type } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/**
 * The elements of a value with their keys, in go-cty's order. The key is a position, a map key or an attribute name; the key of a
 * set's element is the element itself.
 */
export function elements(value: Value): readonly (readonly [key: Value, element: Value])[] {
  const payload = value.payload;
  if (isMarkedPayload(payload)) throw new CtyError("MARKED", "value is marked, so must be unmarked first");
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "can't use ElementIterator on unknown value");
  if (payload === null) throw nullRefused("can't use ElementIterator on null value");
  if (!hasElements(value.type)) throw misuse("attempt to iterate on non-collection, non-tuple type");
  const { type } = value;
  if (payload instanceof Map) {
    const { element } = type as MapType;
    return Array.from(payload as ReadonlyMap<string, Payload>, ([key, part]) => [valueOf(string, key), valueOf(element, part)] as const);
  }
  return (payload as readonly Payload[]).map((part, index) => {
    const element = valueOf(partType(type, index), part);
    if (type.kind === "object") return [valueOf(string, type.names[index]!), element];
    return [type.kind === "set" ? element : valueOf(number, index), element];
  });
}

/** Whether {@link elements} accepts the value: false for types without elements, and for marked values. @see go-cty Value.CanIterateElements */
export function canIterateElements(value: Value): boolean {
  return !isMarkedPayload(value.payload) && hasElements(value.type);
}

/**
 * The number of elements or attributes of a value, as a JavaScript number. For a set with unknown elements, the maximum: unknown
 * elements may turn out to be equal to others. {@link length} returns the bounds.
 *
 * @throws CtyError `MARKED`, `UNKNOWN` or `NULL` for such values, tuples and objects excepted; `MISUSE` for other types.
 * @see go-cty Value.LengthInt
 */
export function lengthInt({ type, payload }: Value): number {
  if (isMarkedPayload(payload)) throw new CtyError("MARKED", "value is marked, so must be unmarked first");
  if (type.kind === "tuple") return type.elements.length;
  if (type.kind === "object") return type.names.length;
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "value is not known");
  if (payload === null) throw nullRefused("value is null");
  if (!isCollectionType(type)) throw misuse("value is not a collection");
  return payload instanceof Map ? payload.size : (payload as readonly Payload[]).length;
}

/**
 * Whether the value contains no unknown value of dynamic type. A null counts as of known type, even if that type is dynamic. As in
 * go-cty, the elements of marked values are not checked.
 *
 * @see go-cty Value.HasWhollyKnownType
 */
export function hasWhollyKnownType(value: Value): boolean {
  const { type, payload } = value;
  const plain = unmarkedPayload(payload);
  if (plain === null) return true;
  if (isUnknownPayload(plain) && type === dynamic) return false;
  if (isMarkedPayload(payload)) return true;
  if (isUnknownPayload(plain)) return !hasDynamic(type);
  for (const child of childrenOf(type, plain)) if (!hasWhollyKnownType(valueOf(child.type, child.payload))) return false;
  return true;
}

function hasElements(type: Type): boolean {
  return isCollectionType(type) || type.kind === "tuple" || type.kind === "object";
}
