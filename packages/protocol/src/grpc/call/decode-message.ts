// SPDX-License-Identifier: Apache-2.0
import { type DescMessage, fromBinary, type JsonObject, type MessageShape } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { isStructField, type RequestStruct, requestStructOf, type StructMap } from "../../carrier/struct-map.ts";
import { invalidRequest } from "./invalid-request.ts";
import { jsonForm, mapForm, type StructForm, StructReader } from "./struct-reader.ts";

/**
 * Decodes a message as protobuf-es does, but converts the fields that are a `google.protobuf.Struct` to JSON without messages in between.
 *
 * @throws Error for malformed bytes.
 */
export function decodeMessage<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  return decode(
    desc,
    bytes,
    jsonForm,
    (reader) => reader.struct(),
    (json) => json,
  );
}

/** Decodes a message like {@link decodeMessage}, but its Structs only when they are read. */
export function decodeMessageWithStructs<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  return decode(desc, bytes, mapForm, (reader) => new EncodedStruct(desc.typeName, reader), requestStructOf);
}

/**
 * @param read - reads a Struct, or only its length.
 * @param converted - converts a Struct that protobuf-es has decoded.
 */
function decode<Desc extends DescMessage, Struct extends JsonObject | StructMap, Field>(
  desc: Desc,
  bytes: Uint8Array,
  form: StructForm<Struct>,
  read: (reader: StructReader<Struct>) => Field,
  converted: (json: JsonObject) => Field,
): MessageShape<Desc> {
  const names = structNames(desc);
  if (names.size === 0) return fromBinary(desc, bytes);
  const structs = new Map<string, Field>();
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
    structs.set(name, read(reader));
    if (start > from) others.push(bytes.subarray(from, start));
    from = reader.pos;
  }
  if (from < bytes.length) others.push(bytes.subarray(from));
  const message = fromBinary(desc, joined(others));
  const fields = message as Record<string, unknown>;
  for (const [name, struct] of structs) fields[name] = struct;
  return message;
}

function merged<Desc extends DescMessage>(
  message: MessageShape<Desc>,
  names: ReadonlyMap<number, string>,
  converted: (json: JsonObject) => unknown,
): MessageShape<Desc> {
  const fields = message as Record<string, unknown>;
  for (const name of names.values()) if (fields[name] !== undefined) fields[name] = converted(fields[name] as JsonObject);
  return message;
}

/** A Struct that is decoded when it is read. All Structs of a message share a reader. */
class EncodedStruct implements RequestStruct {
  readonly #typeName: string;
  readonly #reader: StructReader<StructMap>;
  /** Position of its length. */
  readonly #start: number;

  /** Skips the Struct. @throws RangeError if its length exceeds that of the message. */
  constructor(typeName: string, reader: StructReader<StructMap>) {
    this.#typeName = typeName;
    this.#reader = reader;
    this.#start = reader.pos;
    reader.skip(WireType.LengthDelimited);
  }

  read(): StructMap {
    return this.#read(undefined);
  }

  pick(names: ReadonlySet<string>): StructMap {
    return this.#read(names);
  }

  #read(names: ReadonlySet<string> | undefined): StructMap {
    try {
      this.#reader.pos = this.#start;
      return this.#reader.struct(1, names);
    } catch (cause) {
      throw invalidRequest(this.#typeName, cause);
    }
  }
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
