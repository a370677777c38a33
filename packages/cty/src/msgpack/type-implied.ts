// SPDX-License-Identifier: Apache-2.0
import { Failure, reported } from "../failure.ts";
import { bool, dynamic, number, objectFromMap, string, tupleFromArray, type Type } from "../type.ts";
import { isExtension, Reader } from "./reader.ts";

/**
 * The type msgpack bytes have by themselves: objects and tuples, {@link dynamic} for null and everything unknown.
 *
 * @throws CtyError `MALFORMED` for bytes that are not msgpack, or more than one value; `LIMIT` for more than 1000 nested levels.
 * @see go-cty msgpack.ImpliedType
 */
export function impliedType(bytes: Uint8Array): Type {
  const reader = new Reader(bytes);
  return reported(() => {
    const type = implied(reader);
    if (reader.position < bytes.length) throw new Failure("MALFORMED", "extra bytes after msgpack value");
    return type;
  });
}

function implied(reader: Reader): Type {
  if (reader.skipNull()) return dynamic;
  const code = reader.peek();
  if (isExtension(code)) {
    reader.slice(reader.extension().length);
    return dynamic;
  }
  const size = scalarSize(code);
  if (size !== undefined) {
    reader.slice(size);
    return code === 0xc2 || code === 0xc3 ? bool : number;
  }
  const attributes = reader.mapLength();
  if (attributes >= 0) return impliedObject(reader, attributes);
  const elements = reader.arrayLength();
  if (elements >= 0) return impliedTuple(reader, elements);
  const length = isText(code) ? reader.textLength() : -1;
  if (length < 0) throw new Failure("MALFORMED", `unsupported msgpack code 0x${code.toString(16)}`);
  reader.slice(length);
  return string;
}

/** How many bytes a bool or number takes, its code included; undefined for other codes. */
function scalarSize(code: number): number | undefined {
  if (code < 0x80 || code >= 0xe0 || code === 0xc2 || code === 0xc3) return 1;
  if (code === 0xca) return 5;
  if (code === 0xcb) return 9;
  return code >= 0xcc && code <= 0xd3 ? 1 + (1 << (code & 3)) : undefined;
}

/** Byte strings are none. */
function isText(code: number): boolean {
  return (code >= 0xa0 && code <= 0xbf) || (code >= 0xd9 && code <= 0xdb);
}

function impliedObject(reader: Reader, length: number): Type {
  const attributes = new Map<string, Type>();
  reader.enter();
  for (let index = 0; index < length; index++) {
    const name = reader.skipNull() ? 0 : reader.textLength();
    if (name < 0) throw new Failure("MALFORMED", "all keys must be strings");
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
