// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../ctystrings/normalize.ts";
import { Failure, reported } from "../failure.ts";
import { goQuote } from "../go-quote.ts";
import { bool, dynamic, number, objectFromMap, string, tupleFromArray, type Type } from "../type.ts";
import { Scanner } from "./scanner.ts";

/**
 * The type JSON text has by itself: objects and tuples, {@link dynamic} for null.
 *
 * @throws CtyError `MALFORMED` for text that is not JSON, and for a property that comes twice with different types.
 * @see go-cty json.ImpliedType
 */
export function impliedType(json: string | Uint8Array): Type {
  const scanner = new Scanner(typeof json === "string" ? json : new TextDecoder("utf-8", { ignoreBOM: true }).decode(json));
  return reported(() => {
    const type = implied(scanner);
    if (scanner.hasMore()) throw new Failure("MALFORMED", "extraneous data after JSON object");
    return type;
  });
}

function implied(scanner: Scanner): Type {
  const token = scanner.peek();
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
        if (before !== undefined && before !== type) throw new Failure("MALFORMED", `duplicate ${goQuote(name)} property in JSON object`);
        attributes.set(name, type);
      });
      return objectFromMap(attributes);
    }
    default:
      throw scanner.unexpected("a value");
  }
}
