// SPDX-License-Identifier: Apache-2.0
import { conformingTo, type EncodeOptions } from "../codec/encode-options.ts";
import { CtyError } from "../error/error.ts";
import { Failure, reported, unsupported, within } from "../codec/failure.ts";
import { isInfiniteNumber, numberText } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { attributeStep, indexStep } from "../value/path-step.ts";
import { perType } from "../type/per-type.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "../payload/payload.ts";
import { dynamic, withoutOptionalAttributes } from "../type/type.ts";
import type { CapsuleType, ListType, MapType, ObjectType, SetType, TupleType, Type } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { jsonString } from "./escape.ts";
import { encodeType } from "./type.ts";

/**
 * Encodes a value as JSON. The text equals that of go-cty for the type. Decoding needs the same type.
 *
 * @throws CtyError `UNSUPPORTED` for marks, unknown values and infinity, `CONFORMANCE` for a value of another type, with their path.
 * @see go-cty json.Marshal
 */
export function encode(value: Value, type: Type, options?: EncodeOptions): string {
  const given = conformingTo(type, value, options);
  return reported(() => text(withoutOptionalAttributes(type), given.type, given.payload));
}

function text(target: Type, actual: Type, payload: Payload): string {
  if (isMarkedPayload(payload)) throw unsupported("value has marks, so it cannot be serialized as JSON");
  if (isUnknownPayload(payload)) throw unsupported("value is not known");
  if (target === dynamic && actual !== dynamic) return dynamicText(actual, payload);
  if (payload === null) return "null";
  switch (target.kind) {
    case "string":
      return jsonString(payload as string);
    case "bool":
      return payload === true ? "true" : "false";
    case "number":
      if (isInfiniteNumber(payload as NumberPayload)) throw unsupported("cannot serialize infinity as JSON");
      return numberText(payload as NumberPayload);
    case "list":
    case "set":
      return sequenceText(target, actual as typeof target, payload as readonly Payload[]);
    case "tuple":
      return tupleText(target, actual as typeof target, payload as readonly Payload[]);
    case "map":
      return mapText(target, actual as typeof target, payload as ReadonlyMap<string, Payload>);
    case "object":
      return objectText(target, actual as typeof target, payload as readonly Payload[]);
    case "capsule":
      return capsuleText(target, payload as CapsulePayload);
    default:
      throw unsupported("cannot JSON-serialize dynamic");
  }
}

/** Encodes a value where the target type is dynamic, together with its type. */
function dynamicText(type: Type, payload: Payload): string {
  const typeJson = typeText(type);
  try {
    return `{"value":${text(type, type, payload)},"type":${typeJson}}`;
  } catch (error) {
    throw error instanceof Failure ? error.prefix("failed to serialize value") : error;
  }
}

function sequenceText(target: ListType | SetType, actual: ListType | SetType, elements: readonly Payload[]): string {
  let result = "[";
  let index = 0;
  try {
    for (; index < elements.length; index++) {
      if (index > 0) result += ",";
      result += text(target.element, actual.element, elements[index]!);
    }
  } catch (error) {
    throw within(error, indexStep(target.kind === "list" ? index : valueOf(actual.element, elements[index]!)));
  }
  return `${result}]`;
}

function tupleText(target: TupleType, actual: TupleType, elements: readonly Payload[]): string {
  let result = "[";
  let index = 0;
  try {
    for (; index < elements.length; index++) {
      if (index > 0) result += ",";
      result += text(target.elements[index]!, actual.elements[index]!, elements[index]!);
    }
  } catch (error) {
    throw within(error, indexStep(index));
  }
  return `${result}]`;
}

function mapText(target: MapType, actual: MapType, elements: ReadonlyMap<string, Payload>): string {
  let result = "";
  let current = "";
  try {
    for (const [key, element] of elements) {
      current = key;
      result += `${result === "" ? "{" : ","}${jsonString(key)}:${text(target.element, actual.element, element)}`;
    }
  } catch (error) {
    throw within(error, indexStep(current));
  }
  return result === "" ? "{}" : `${result}}`;
}

/** Text before the value of each attribute: `{"a":`, then `,"b":`. */
const attributeHeads: (type: ObjectType) => readonly string[] = perType((type) =>
  type.names.map((name, slot) => `${slot === 0 ? "{" : ","}${jsonString(name)}:`),
);

function objectText(target: ObjectType, actual: ObjectType, slots: readonly Payload[]): string {
  const heads = attributeHeads(target);
  const { names } = target;
  let result = "";
  let slot = 0;
  try {
    for (; slot < names.length; slot++) {
      const name = names[slot]!;
      result += heads[slot]! + text(target.attributes[name]!, actual.attributes[name]!, slots[slot]!);
    }
  } catch (error) {
    throw within(error, attributeStep(names[slot]!));
  }
  return result === "" ? "{}" : `${result}}`;
}

function typeText(type: Type): string {
  try {
    return encodeType(type);
  } catch (error) {
    if (error instanceof CtyError) throw unsupported(`failed to serialize type: ${error.message}`, error);
    throw error;
  }
}

function capsuleText(type: CapsuleType, payload: CapsulePayload): string {
  const { toJson } = type.ops;
  if (toJson === undefined) throw unsupported(`cannot JSON-serialize ${type.name}`);
  return toJson(payload.native);
}
