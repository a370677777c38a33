// SPDX-License-Identifier: Apache-2.0
import { type DescMessage, fromBinary, type JsonObject, type MessageShape } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { isStructField, readStruct } from "./struct-codec.ts";

/**
 * Decodes a message as protobuf-es does, but converts the fields that are a `google.protobuf.Struct` to JSON without messages in between.
 *
 * @throws Error for malformed bytes.
 */
export function decodeMessage<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  const names = structNames(desc);
  if (names.size === 0) return fromBinary(desc, bytes);
  const structs = new Map<string, JsonObject>();
  const others: Uint8Array[] = [];
  const reader = new BinaryReader(bytes);
  let from = 0;
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    const name = wireType === WireType.LengthDelimited ? names.get(number) : undefined;
    if (name === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    // Several values of one field are merged, which no peer does here.
    if (structs.has(name)) return fromBinary(desc, bytes);
    structs.set(name, readStruct(reader));
    if (start > from) others.push(bytes.subarray(from, start));
    from = reader.pos;
  }
  if (from < bytes.length) others.push(bytes.subarray(from));
  const message = fromBinary(desc, joined(others));
  return Object.assign(message, Object.fromEntries(structs));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const cache = new WeakMap<DescMessage, ReadonlyMap<number, string>>();

/** Names of the properties of a message that are a Struct, by field number. */
function structNames(desc: DescMessage): ReadonlyMap<number, string> {
  let names = cache.get(desc);
  if (names === undefined) {
    names = new Map(desc.fields.filter(isStructField).map(({ number, localName }) => [number, localName]));
    cache.set(desc, names);
  }
  return names;
}
