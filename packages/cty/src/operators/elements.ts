// SPDX-License-Identifier: Apache-2.0
import { childrenOf } from "../children.ts";
import { CtyError, misuse, nullRefused } from "../error.ts";
import { isMarkedPayload, isUnknownPayload, unmarkedPayload, type Payload } from "../payload.ts";
import { dynamic, hasDynamic, isCollectionType, string, type Type } from "../type.ts";
import { valueOf, type Value } from "../value.ts";

/** A value's elements, keys first, in go-cty's order: positions, map keys, attribute names; a set's elements twice. */
export function elements(value: Value): readonly (readonly [key: Value, element: Value])[] {
  const payload = value.payload;
  if (isMarkedPayload(payload)) throw new CtyError("MARKED", "value is marked, so must be unmarked first");
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "can't use ElementIterator on unknown value");
  if (payload === null) throw nullRefused("can't use ElementIterator on null value");
  if (!hasElements(value.type)) throw misuse("attempt to iterate on non-collection, non-tuple type");
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
  if (payload === null) throw nullRefused("value is null");
  if (!isCollectionType(type)) throw misuse("value is not a collection");
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
  if (isUnknownPayload(plain) && type === dynamic) return false;
  if (isMarkedPayload(payload)) return true;
  if (isUnknownPayload(plain)) return !hasDynamic(type);
  for (const child of childrenOf(type, plain)) if (!hasWhollyKnownType(valueOf(child.type, child.payload))) return false;
  return true;
}

function hasElements(type: Type): boolean {
  return isCollectionType(type) || type.kind === "tuple" || type.kind === "object";
}
