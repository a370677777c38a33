// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "./error.ts";
import type { Infer, Num } from "./infer.ts";
import { indexStep } from "./path.ts";
import { numberToBigint, numberToDouble, type NumberPayload } from "./number/number.ts";
import type { Path } from "./path-step.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "./payload.ts";
import type { Type } from "./type.ts";
import type { Value } from "./value.ts";

/**
 * The value as JavaScript data: strings, booleans, numbers, arrays (lists, tuples, and sets in canonical order), records
 * without prototype (maps and objects) and null.
 *
 * A number is a JavaScript number if that has the same decimal text; otherwise a bigint if it is an integer, and else a
 * {@link BigFloat}, whose `toString()` has every digit.
 *
 * @throws CtyError `UNKNOWN` or `MARKED` with the path of the first part that is.
 */
export function toJs<T extends Type>(value: Value<T>): Infer<T> {
  return convert(value.type, value.payload, []) as Infer<T>;
}

/** A number payload as {@link toJs} gives it. */
export function numberToJs(x: NumberPayload): Num {
  return numberToDouble(x) ?? numberToBigint(x) ?? x;
}

function convert(type: Type, payload: Payload, path: Path): unknown {
  if (payload === null) return null;
  if (isMarkedPayload(payload)) throw new CtyError("MARKED", "value is marked: unmark it first", path);
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "value is not known", path);
  switch (type.kind) {
    case "number":
      return numberToJs(payload as NumberPayload);
    case "list":
    case "set":
      return (payload as readonly Payload[]).map((element, index) => convert(type.element, element, [...path, indexStep(index)]));
    case "tuple":
      return (payload as readonly Payload[]).map((element, index) => convert(type.elements[index]!, element, [...path, indexStep(index)]));
    case "map": {
      const record = Object.create(null) as Record<string, unknown>;
      for (const [key, element] of payload as ReadonlyMap<string, Payload>)
        record[key] = convert(type.element, element, [...path, indexStep(key)]);
      return record;
    }
    case "object": {
      const record = Object.create(null) as Record<string, unknown>;
      for (const [index, name] of type.names.entries()) {
        record[name] = convert(type.attributes[name]!, (payload as readonly Payload[])[index]!, [...path, { kind: "attribute", name }]);
      }
      return record;
    }
    case "capsule":
      return (payload as CapsulePayload).native;
    default:
      return payload;
  }
}
