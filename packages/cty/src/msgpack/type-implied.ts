// SPDX-License-Identifier: Apache-2.0
import { reported, malformed } from "../codec/failure.ts";
import { bool, dynamic, number, objectFromMap, string, tupleFromArray } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { isExtension, Reader } from "./reader.ts";

/**
 * The type that follows from msgpack alone: objects for maps, tuples for arrays, {@link dynamic} for null and unknown values.
 *
 * @throws CtyError `MALFORMED` for bytes that are not msgpack, or more than one value; `LIMIT` for more than 1000 nested levels.
 * @see go-cty msgpack.ImpliedType
 */
export function impliedType(bytes: Uint8Array): Type {
  const reader = new Reader(bytes);
  return reported(() => {
    const type = implied(reader);
    if (reader.position < bytes.length) throw malformed("extra bytes after msgpack value");
    return type;
  });
}

/** Number of bytes of floats and integers, including their code, by code from 0xca. */
const numberSizes = [5, 9, 2, 3, 5, 9, 2, 3, 5, 9];

function implied(reader: Reader): Type {
  if (reader.skipNull()) return dynamic;
  const code = reader.peek();
  if (isExtension(code)) {
    reader.slice(reader.extension().length);
    return dynamic;
  }
  const size = code < 0x80 || code >= 0xe0 || code === 0xc2 || code === 0xc3 ? 1 : numberSizes[code - 0xca];
  if (size !== undefined) {
    reader.slice(size);
    return code === 0xc2 || code === 0xc3 ? bool : number;
  }
  const attributes = reader.mapLength();
  if (attributes >= 0) return impliedObject(reader, attributes);
  const elements = reader.arrayLength();
  if (elements >= 0) return impliedTuple(reader, elements);
  if (code >= 0xdc && code <= 0xdf) throw malformed("unexpected EOF");
  // Byte strings have no type.
  const length = code < 0xc4 || code > 0xc6 ? reader.textLength() : -1;
  if (length < 0) throw malformed(`unsupported msgpack code 0x${code.toString(16)}`);
  reader.slice(length);
  return string;
}

function impliedObject(reader: Reader, length: number): Type {
  const attributes = new Map<string, Type>();
  reader.enter();
  for (let index = 0; index < length; index++) {
    const name = reader.skipNull() ? 0 : reader.textLength();
    if (name < 0) throw malformed("all keys must be strings");
    attributes.set(reader.normalText(name), implied(reader));
  }
  reader.leave();
  return objectFromMap(attributes);
}

function impliedTuple(reader: Reader, length: number): Type {
  const elements: Type[] = [];
  reader.enter();
  while (elements.length < length) elements.push(implied(reader));
  reader.leave();
  return tupleFromArray(elements);
}
