// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "./go-quote.ts";
import { numberHashText, numberIdentity, type NumberPayload } from "./number/number.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "./payload.ts";
import { perType } from "./per-type.ts";
import { childTypes, dynamic, partType, type Type } from "./type.ts";

/**
 * The text go-cty hashes a value by, and orders compound elements of sets by. Marks are left out.
 *
 * @see go-cty appendSetHashBytes
 */
export function hashText(type: Type, payload: Payload): string {
  return text(type, payload, numberHashText);
}

/** As {@link hashText}, but only of equal values the same: hashes see ten digits of a number. For types that {@link hasExactText}. */
export function exactText(type: Type, payload: Payload): string {
  return text(type, payload, numberIdentity);
}

/** Are values of the type equal exactly if their {@link exactText} is? What decides about capsules is not in any text. */
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
