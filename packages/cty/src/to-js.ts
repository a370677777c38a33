// SPDX-License-Identifier: Apache-2.0
import { childrenOf } from "./children.ts";
import { CtyError, markedRefused } from "./error.ts";
import type { Infer, Num } from "./infer.ts";
import { indexStep, type Path, type PathStep } from "./path-step.ts";
import { numberToBigint, numberToDouble, type NumberPayload } from "./number/number.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "./payload.ts";
import { partType, type Type } from "./type.ts";
import type { Value } from "./value.ts";

/**
 * The value as JavaScript data: strings, booleans, numbers, arrays (lists, tuples, and sets in canonical order), records
 * without prototype (maps and objects) and null.
 *
 * A number is a JavaScript number if a double stands for it, with the same text where Go writes both; otherwise a bigint if it is an integer, and else a
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
