// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../text/normalize.ts";
import { misuse, nullRefused } from "../error/error.ts";
import { goQuote } from "../text/go-quote.ts";
import { isMarkedPayload, isUnknownPayload, markedPayload, UNKNOWN, type Payload } from "../payload/payload.ts";
import { dynamic, partType } from "../type/type.ts";
import type { DynamicType, ObjectType, Type } from "../model/type.ts";
import { valueOf } from "./value.ts";
import type { Value } from "../model/value.ts";

/**
 * Returns an attribute of an object, with the marks of the object. The attribute of an unknown object is unknown, and so is that of a
 * value of dynamic type, even if it is null.
 *
 * @throws CtyError `NULL` for null, `MISUSE` for other types and attributes the type does not have.
 * @see go-cty Value.GetAttr
 */
export function get<Attributes extends Readonly<Record<string, Type>>, Name extends keyof Attributes & string>(
  value: Value<ObjectType<Attributes>>,
  name: Name,
): Value<Attributes[Name]>;
export function get(value: Value<DynamicType>, name: string): Value<DynamicType>;
export function get<T extends Type>(value: Type extends T ? Value<T> : never, name: string): Value;
export function get(value: Value, name: string): Value {
  const { type, payload } = value;
  if (isMarkedPayload(payload)) {
    const inner = get(valueOf(type, payload.payload), name);
    return valueOf(inner.type, markedPayload(inner.payload, payload.marks));
  }
  if (type === dynamic) return valueOf(dynamic, UNKNOWN);
  if (payload === null) throw nullRefused("can't get attribute of a null value");
  if (type.kind !== "object") throw misuse("value is not an object");
  const slot = type.slots.get(normalizeString(name));
  if (slot === undefined) throw misuse(`value has no attribute of that name: ${goQuote(name)}`);
  return valueOf(partType(type, slot), isUnknownPayload(payload) ? UNKNOWN : (payload as readonly Payload[])[slot]!);
}
