// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "./ctystrings/normalize.ts";
import { misuse, nullRefused } from "./error.ts";
import { goQuote } from "./go-quote.ts";
import { isMarkedPayload, isUnknownPayload, markedPayload, UNKNOWN, type Payload } from "./payload.ts";
import { dynamic, partType, type DynamicType, type ObjectType, type Type } from "./type.ts";
import { valueOf, type Value } from "./value.ts";

/**
 * The value of an object's attribute, with the object's marks; unknown if the object is. Of a value of unknown type it is
 * unknown, even if the value is null.
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
