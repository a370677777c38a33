// SPDX-License-Identifier: Apache-2.0
import { type DescMessage, fromBinary, type JsonObject, type MessageShape } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { isStructField, type StructMap, structMapOf } from "../../carrier/struct-map.ts";
import { jsonForm, mapForm, type StructForm, StructReader } from "./struct-reader.ts";

/**
 * Decodes a message as protobuf-es does, but converts the fields that are a `google.protobuf.Struct` to JSON without messages in between.
 *
 * @throws Error for malformed bytes.
 */
export function decodeMessage<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  return decode(desc, bytes, jsonForm, (json) => json);
}

/** Decodes a message like {@link decodeMessage}, but with Structs as maps. */
export function decodeMessageWithMaps<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  return decode(desc, bytes, mapForm, structMapOf);
}

/** @param converted - converts a Struct that protobuf-es has decoded to the form. */
function decode<Desc extends DescMessage, Struct extends JsonObject | StructMap>(
  desc: Desc,
  bytes: Uint8Array,
  form: StructForm<Struct>,
  converted: (json: JsonObject) => Struct,
): MessageShape<Desc> {
  const names = structNames(desc);
  if (names.size === 0) return fromBinary(desc, bytes);
  const structs = new Map<string, Struct>();
  const others: Uint8Array[] = [];
  const reader = new StructReader(bytes, form);
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
    if (structs.has(name)) return merged(fromBinary(desc, bytes), names, converted);
    structs.set(name, reader.struct());
    if (start > from) others.push(bytes.subarray(from, start));
    from = reader.pos;
  }
  if (from < bytes.length) others.push(bytes.subarray(from));
  return Object.assign(fromBinary(desc, joined(others)), Object.fromEntries(structs));
}

function merged<Desc extends DescMessage>(
  message: MessageShape<Desc>,
  names: ReadonlyMap<number, string>,
  converted: (json: JsonObject) => JsonObject | StructMap,
): MessageShape<Desc> {
  const fields = message as Record<string, unknown>;
  for (const name of names.values()) if (fields[name] !== undefined) fields[name] = converted(fields[name] as JsonObject);
  return message;
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
