// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../text/normalize.ts";
import { reported, malformed } from "../codec/failure.ts";
import { goQuote } from "../text/go-quote.ts";
import { bool, dynamic, number, objectFromMap, string, tupleFromArray } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { ValueScanner } from "./value-scanner.ts";

/**
 * Returns the type that follows from JSON text alone: objects, tuples for arrays, {@link dynamic} for null.
 *
 * @throws CtyError `MALFORMED` for text that is not JSON, and for a duplicate property with different types.
 * @see go-cty json.ImpliedType
 */
export function impliedType(json: string | Uint8Array): Type {
  const scanner = new ValueScanner(typeof json === "string" ? json : new TextDecoder("utf-8", { ignoreBOM: true }).decode(json));
  return reported(() => {
    const type = implied(scanner);
    if (scanner.hasMore()) throw malformed("extraneous data after JSON object");
    return type;
  });
}

function implied(scanner: ValueScanner): Type {
  const token = scanner.token();
  switch (token) {
    case '"':
      scanner.string();
      return string;
    case "number":
      scanner.number();
      return number;
    case "true":
    case "false":
      scanner.literal(token);
      return bool;
    case "null":
      scanner.literal("null");
      return dynamic;
    case "[": {
      const elements: Type[] = [];
      scanner.array(() => elements.push(implied(scanner)));
      return tupleFromArray(elements);
    }
    case "{": {
      const properties = new Map<string, Type>();
      scanner.object((key) => {
        const type = implied(scanner);
        const earlier = properties.get(key);
        if (earlier !== undefined && earlier !== type) throw malformed(`duplicate ${goQuote(key)} property in JSON object`);
        properties.set(key, type);
      });
      // go-cty looks for duplicates before it normalizes the names. If two names have the same normal form, go-cty uses a random one of them; here the last one is used.
      return objectFromMap(new Map([...properties].map(([key, type]) => [normalizeString(key), type])));
    }
    default:
      throw scanner.unexpected("a value");
  }
}
