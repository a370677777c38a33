// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "../text/go-quote.ts";
import { numberHashText, numberIdentity } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "../payload/payload.ts";
import { perType } from "../type/per-type.ts";
import { childTypes, dynamic, partType } from "../type/type.ts";
import type { Type } from "../model/type.ts";

/**
 * Returns the text that go-cty hashes a value by, and sorts compound elements of sets by. Marks are ignored.
 *
 * @see go-cty appendSetHashBytes
 */
export function hashText(type: Type, payload: Payload): string {
  return text(type, payload, numberHashText);
}

/** Like {@link hashText}, but the same only for equal values: hashes use ten digits of a number. Only for types with {@link hasExactText}. */
export function exactText(type: Type, payload: Payload): string {
  return text(type, payload, numberIdentity);
}

/** Whether values of the type are equal exactly if their {@link exactText} is. False for capsules, whose equality is not in any text. */
export const hasExactText: (type: Type) => boolean = perType(
  (type) => type.kind !== "capsule" && type !== dynamic && childTypes(type).every(hasExactText),
);

type NumberText = (x: NumberPayload) => string;

function text(type: Type, payload: Payload, numberText: NumberText): string {
  if (payload === null) return "~";
  if (isMarkedPayload(payload)) return text(type, payload.payload, numberText);
  if (isUnknownPayload(payload)) return "?";
  switch (type.kind) {
    case "string":
      return goQuote(payload as string);
    case "number":
      return numberText(payload as NumberPayload);
    case "bool":
      return payload === true ? "T" : "F";
    case "list":
    case "set":
      return `[${terminated(type, payload as readonly Payload[], numberText)}]`;
    case "tuple":
    case "object":
      return `<${terminated(type, payload as readonly Payload[], numberText)}>`;
    case "map": {
      let result = "{";
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) {
        result += `${goQuote(key)}:${text(type.element, element, numberText)};`;
      }
      return `${result}}`;
    }
    case "capsule": {
      const { hashKey } = type.ops;
      return hashKey === undefined ? "«?»" : `«${goQuote(hashKey((payload as CapsulePayload).native))}»`;
    }
    default:
      return "?";
  }
}

function terminated(type: Type, payloads: readonly Payload[], numberText: NumberText): string {
  let result = "";
  for (let index = 0; index < payloads.length; index++) result += `${text(partType(type, index), payloads[index]!, numberText)};`;
  return result;
}
