// SPDX-License-Identifier: Apache-2.0
import { childrenOf } from "../value/children.ts";
import { CtyError, markedRefused } from "../error/error.ts";
import type { Infer, Num } from "./infer.ts";
import { indexStep } from "../value/path-step.ts";
import type { Path, PathStep } from "../model/path.ts";
import { numberToBigint, numberToDouble } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "../payload/payload.ts";
import { partType } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import type { Value } from "../model/value.ts";

/**
 * Returns the value as JavaScript data: strings, booleans, numbers, arrays (for lists, tuples, and sets in canonical order), records
 * without a prototype (for maps and objects), and null.
 *
 * A number is a JavaScript number if a double has the same text. Otherwise an integer is a bigint, and any other number a
 * {@link BigFloat}, whose `toString()` has every digit.
 *
 * @throws CtyError `UNKNOWN` or `MARKED` with the path of the first unknown or marked part.
 */
export function toJs<T extends Type>(value: Value<T>): Infer<T> {
  return convert(value.type, value.payload, []) as Infer<T>;
}

/** Returns a number payload as {@link toJs} does. */
export function numberToJs(x: NumberPayload): Num {
  return numberToDouble(x) ?? numberToBigint(x) ?? x;
}

function convert(type: Type, payload: Payload, path: Path): unknown {
  if (payload === null) return null;
  if (isMarkedPayload(payload)) throw markedRefused(path);
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "value is not known", path);
  switch (type.kind) {
    case "number":
      return numberToJs(payload as NumberPayload);
    case "list":
    case "set":
    case "tuple":
      return (payload as readonly Payload[]).map((part, index) => convert(partType(type, index), part, [...path, indexStep(index)]));
    case "map":
    case "object": {
      const record = Object.create(null) as Record<string, unknown>;
      for (const { step, type: inner, payload: part } of childrenOf(type, payload)) {
        record[stepName(step)] = convert(inner, part, [...path, step]);
      }
      return record;
    }
    case "capsule":
      return (payload as CapsulePayload).native;
    default:
      return payload;
  }
}

function stepName(step: PathStep): string {
  return step.kind === "attribute" ? step.name : (step.key.payload as string);
}
