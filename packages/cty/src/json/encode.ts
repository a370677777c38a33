// SPDX-License-Identifier: Apache-2.0
import { convert } from "../convert/convert.ts";
import { CtyError } from "../error.ts";
import { Failure, reported, within } from "../failure.ts";
import { isInfiniteNumber, numberText, type NumberPayload } from "../number/number.ts";
import { indexStep } from "../path.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "../payload.ts";
import { withoutOptionalAttributes, type CapsuleType, type Type } from "../type.ts";
import { conforms } from "../type-conform.ts";
import { valueOf, type Value } from "../value.ts";
import { jsonString } from "./escape.ts";
import { encodeType } from "./type.ts";

/**
 * Writes a value as JSON, character by character as go-cty writes it for the type; reading it back needs the same type.
 *
 * A value that does not conform to the type is converted first, if that is possible.
 *
 * @throws CtyError `UNSUPPORTED` for marks, unknown values and infinity, with their path.
 * @see go-cty json.Marshal
 */
export function encode(value: Value, type: Type): string {
  const target = withoutOptionalAttributes(type);
  const given = conforms(value.type, target) ? value : convert(value, target);
  return reported(() => text(target, given.type, given.payload));
}

function unsupported(message: string): Failure {
  return new Failure("UNSUPPORTED", message);
}

function text(target: Type, actual: Type, payload: Payload): string {
  if (isMarkedPayload(payload)) throw unsupported("value has marks, so it cannot be serialized as JSON");
  if (isUnknownPayload(payload)) throw unsupported("value is not known");
  if (target.kind === "dynamic" && actual.kind !== "dynamic") return dynamicText(actual, payload);
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
    case "set": {
      const elementType = (actual as typeof target).element;
      const elements = payload as readonly Payload[];
      return arrayText(elements, (element, index) => {
        const key = target.kind === "list" ? index : valueOf(elementType, element);
        return stepped(() => text(target.element, elementType, element), key);
      });
    }
    case "tuple": {
      const types = (actual as typeof target).elements;
      return arrayText(payload as readonly Payload[], (element, index) =>
        stepped(() => text(target.elements[index]!, types[index]!, element), index),
      );
    }
    case "map": {
      const elementType = (actual as typeof target).element;
      const members = Array.from(
        payload as ReadonlyMap<string, Payload>,
        ([key, element]) => `${jsonString(key)}:${stepped(() => text(target.element, elementType, element), key)}`,
      );
      return `{${members.join()}}`;
    }
    case "object": {
      const types = (actual as typeof target).attributes;
      const slots = payload as readonly Payload[];
      const members = target.names.map(
        (name, slot) => `${jsonString(name)}:${attributeText(target.attributes[name]!, types[name]!, slots[slot]!, name)}`,
      );
      return `{${members.join()}}`;
    }
    case "capsule":
      return capsuleText(target, payload as CapsulePayload);
    default:
      throw unsupported("cannot JSON-serialize dynamic");
  }
}

/** A value where the target's type is dynamic carries its type along. */
function dynamicText(type: Type, payload: Payload): string {
  const typeJson = typeText(type);
  try {
    return `{"value":${text(type, type, payload)},"type":${typeJson}}`;
  } catch (error) {
    throw error instanceof Failure ? error.because("failed to serialize value") : error;
  }
}

function arrayText(elements: readonly Payload[], element: (payload: Payload, index: number) => string): string {
  return `[${elements.map(element).join()}]`;
}

function stepped(run: () => string, key: number | string | Value): string {
  try {
    return run();
  } catch (error) {
    throw within(error, indexStep(key));
  }
}

function attributeText(target: Type, actual: Type, payload: Payload, name: string): string {
  try {
    return text(target, actual, payload);
  } catch (error) {
    throw within(error, { kind: "attribute", name });
  }
}

function typeText(type: Type): string {
  try {
    return encodeType(type);
  } catch (error) {
    if (error instanceof CtyError) throw new Failure("UNSUPPORTED", `failed to serialize type: ${error.message}`, error);
    throw error;
  }
}

function capsuleText(type: CapsuleType, payload: CapsulePayload): string {
  const { toJson } = type.ops;
  if (toJson === undefined) throw unsupported(`cannot JSON-serialize ${type.name}`);
  return toJson(payload.native);
}
