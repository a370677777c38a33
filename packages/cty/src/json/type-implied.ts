// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../ctystrings/normalize.ts";
import { reported, malformed } from "../failure.ts";
import { goQuote } from "../go-quote.ts";
import { bool, dynamic, number, objectFromMap, string, tupleFromArray, type Type } from "../type.ts";
import { ValueScanner } from "./value-scanner.ts";

/**
 * The type JSON text has by itself: objects and tuples, {@link dynamic} for null.
 *
 * @throws CtyError `MALFORMED` for text that is not JSON, and for a property that comes twice with different types.
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
      const attributes = new Map<string, Type>();
      scanner.object((key) => {
        const name = normalizeString(key);
        const type = implied(scanner);
        const before = attributes.get(name);
        if (before !== undefined && before !== type) throw malformed(`duplicate ${goQuote(name)} property in JSON object`);
        attributes.set(name, type);
      });
      return objectFromMap(attributes);
    }
    default:
      throw scanner.unexpected("a value");
  }
}
