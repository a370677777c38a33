// SPDX-License-Identifier: Apache-2.0
import { crc32 } from "./crc32.ts";
import { goQuote } from "./go-quote.ts";
import { numberHashText, type NumberPayload } from "./number/number.ts";
import { isMarkedPayload, isUnknownPayload, type CapsulePayload, type Payload } from "./payload.ts";
import type { Type } from "./type.ts";

/**
 * The text go-cty hashes a value by, and orders compound elements of sets by. Marks are left out.
 *
 * @see go-cty appendSetHashBytes
 */
export function hashText(type: Type, payload: Payload): string {
  if (payload === null) return "~";
  if (isMarkedPayload(payload)) return hashText(type, payload.payload);
  if (isUnknownPayload(payload)) return "?";
  switch (type.kind) {
    case "string":
      return goQuote(payload as string);
    case "number":
      return numberHashText(payload as NumberPayload);
    case "bool":
      return payload === true ? "T" : "F";
    case "list":
    case "set":
      return `[${terminated(payload as readonly Payload[], () => type.element)}]`;
    case "tuple":
      return `<${terminated(payload as readonly Payload[], (index) => type.elements[index]!)}>`;
    case "object":
      return `<${terminated(payload as readonly Payload[], (index) => type.attributes[type.names[index]!]!)}>`;
    case "map": {
      let text = "{";
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) text += `${goQuote(key)}:${hashText(type.element, element)};`;
      return `${text}}`;
    }
    case "capsule": {
      const { hashKey } = type.ops;
      return hashKey === undefined ? "«?»" : `«${goQuote(hashKey((payload as CapsulePayload).native))}»`;
    }
    default:
      return "?";
  }
}

function terminated(payloads: readonly Payload[], typeAt: (index: number) => Type): string {
  let text = "";
  for (let index = 0; index < payloads.length; index++) text += `${hashText(typeAt(index), payloads[index]!)};`;
  return text;
}

/** The number go-cty puts a value in its bucket by. Marks are left out. */
export function hashPayload(type: Type, payload: Payload): number {
  return crc32(hashText(type, payload));
}
