// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../text/normalize.ts";
import { CtyError } from "../error/error.ts";
import { Failure, reported } from "../codec/failure.ts";
import { goQuote } from "../text/go-quote.ts";
import { perType } from "../type/per-type.ts";
import { bool, collection, dynamic, number, objectFromMap, optional, string, tupleFromArray } from "../type/type.ts";
import type { CollectionType, OptionalAttribute, Type } from "../model/type.ts";
import { friendlyName } from "../type/type-names.ts";
import { jsonString } from "./escape.ts";
import { Scanner } from "./scanner.ts";

/**
 * Encodes a type as JSON: `"string"`, `["list","string"]`, `["object",{"a":"string"}]`.
 *
 * @throws CtyError `UNSUPPORTED` for capsule types.
 * @see go-cty Type.MarshalJSON
 */
export const encodeType: (type: Type) => string = perType((type) => {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return `["${type.kind}",${encodeType(type.element)}]`;
    case "tuple":
      return `["tuple",[${type.elements.map(encodeType).join()}]]`;
    case "object": {
      const attributes = type.names.map((name) => `${jsonString(name)}:${encodeType(type.attributes[name]!)}`);
      const optionals = type.optionalNames.length === 0 ? "" : `,[${type.optionalNames.map(jsonString).join()}]`;
      return `["object",{${attributes.join()}}${optionals}]`;
    }
    case "capsule":
      throw new CtyError("UNSUPPORTED", `type not allowed: ${friendlyName(type)}`);
    default:
      return `"${type.kind}"`;
  }
});

/**
 * Decodes a type from JSON.
 *
 * @throws CtyError `INVALID_TYPE` for text that is not the JSON of a type.
 * @see go-cty Type.UnmarshalJSON
 */
export function decodeType(text: string): Type {
  return reported(() => {
    const scanner = new Scanner(text);
    const type = readType(scanner);
    if (scanner.hasMore())
      throw invalid(`${text.trimStart().startsWith("[") ? "unexpected extra data in" : "extraneous data after"} type description`);
    return type;
  });
}

function invalid(message: string): Failure {
  return new Failure("INVALID_TYPE", message);
}

const primitives: Readonly<Record<string, Type>> = { string, number, bool, dynamic };

/** Reads the next value as a type. */
export function readType(scanner: Scanner): Type {
  const next = scanner.peek();
  if (next === "[") return readComplexType(scanner);
  if (next === "{") throw invalid("invalid complex type description");
  // Numbers, true, false and null.
  if (/[-\dtfn]/.test(next)) throw invalid("invalid type description");
  if (next !== '"') throw scanner.unexpected("a type");
  const name = scanner.string();
  if (Object.hasOwn(primitives, name)) return primitives[name]!;
  throw invalid(`invalid primitive type name ${goQuote(name)}`);
}

function readComplexType(scanner: Scanner): Type {
  let kind = "";
  let type: Type | undefined;
  let attributes: Map<string, Type | OptionalAttribute> | undefined;
  scanner.array((index) => {
    if (index === 0) {
      if (scanner.peek() === '"') kind = scanner.string();
      if (!["list", "set", "map", "tuple", "object"].includes(kind)) throw invalid("invalid complex type kind name");
    } else if (index === 1) {
      if (kind === "object") attributes = readAttributes(scanner);
      else if (kind === "tuple") type = readTuple(scanner);
      else type = collection(kind as CollectionType["kind"], readType(scanner));
    } else if (index === 2 && attributes !== undefined) {
      readOptionals(scanner, attributes);
    } else throw invalid("unexpected extra data in type description");
  });
  if (attributes !== undefined) return objectFromMap(attributes);
  if (type === undefined) throw invalid(`invalid complex type ${kind === "" ? "kind name" : "description"}`);
  return type;
}

/** Go reads null as an empty list or record. */
function isNull(scanner: Scanner): boolean {
  if (scanner.peek() !== "n") return false;
  scanner.literal("null");
  return true;
}

function readTuple(scanner: Scanner): Type {
  const elements: Type[] = [];
  if (!isNull(scanner)) scanner.array(() => elements.push(readType(scanner)));
  return tupleFromArray(elements);
}

function readAttributes(scanner: Scanner): Map<string, Type> {
  const attributes = new Map<string, Type>();
  if (!isNull(scanner)) scanner.object((name) => attributes.set(normalizeString(name), readType(scanner)));
  return attributes;
}

function readOptionals(scanner: Scanner, attributes: Map<string, Type | OptionalAttribute>): void {
  scanner.array(() => {
    const name = normalizeString(scanner.string());
    const type = attributes.get(name);
    if (type === undefined) throw invalid(`optional contains undeclared attribute ${goQuote(name)}`);
    if (type.kind !== "optional") attributes.set(name, optional(type));
  });
}
