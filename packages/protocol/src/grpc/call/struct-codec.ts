// SPDX-License-Identifier: Apache-2.0
import type { DescField, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type BinaryReader, type BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

// protobuf-es converts each value of a `google.protobuf.Struct` to a message and back. These functions convert between its bytes and JSON.
//
//   Struct     1: map<string, Value> fields (entries: 1 key, 2 value)
//   ListValue  1: repeated Value values
//   Value      1: null, 2: double, 3: string, 4: bool, 5: Struct, 6: ListValue

/** Maximum nesting of objects and arrays in a Struct that is read. It is that of protobuf-es, whose limit counts messages. */
export const maxStructDepth = 48;

/** Whether a field is a single Struct, which is JSON in a message. */
export function isStructField(field: DescField): boolean {
  return field.fieldKind === "message" && field.oneof === undefined && field.message.typeName === "google.protobuf.Struct";
}

const tags = { first: 0x0a, second: 0x12, null: 0x08, number: 0x11, string: 0x1a, bool: 0x20, struct: 0x2a, list: 0x32 } as const;

/** Writes the fields of a Struct. Members that are undefined are left out. @throws TypeError for a value that JSON does not have. */
export function writeStruct(to: BinaryWriter, json: JsonObject): void {
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (value === undefined) continue;
    to.uint32(tags.first).fork().uint32(tags.first).string(key).uint32(tags.second).fork();
    writeValue(to, value);
    to.join().join();
  }
}

function writeValue(to: BinaryWriter, value: JsonValue): void {
  switch (typeof value) {
    case "string":
      to.uint32(tags.string).string(value);
      return;
    case "number":
      to.uint32(tags.number).double(value);
      return;
    case "boolean":
      to.uint32(tags.bool).bool(value);
      return;
    case "object":
      if (value === null) to.uint32(tags.null).uint32(0);
      else if (Array.isArray(value)) writeList(to, value);
      else {
        to.uint32(tags.struct).fork();
        writeStruct(to, value);
        to.join();
      }
      return;
    default:
      throw new TypeError(`a google.protobuf.Struct cannot have a ${typeof value}`);
  }
}

function writeList(to: BinaryWriter, values: readonly JsonValue[]): void {
  to.uint32(tags.list).fork();
  for (const value of values) {
    to.uint32(tags.first).fork();
    writeValue(to, value);
    to.join();
  }
  to.join();
}

/**
 * Reads a Struct with its length. As everywhere in protobuf, the last one of several values counts, and unknown fields are skipped.
 *
 * @throws Error for malformed bytes, and for values that are nested too deeply.
 */
export function readStruct(from: BinaryReader, depth = 1): JsonObject {
  if (depth > maxStructDepth) throw new Error(`maximum recursion depth of ${maxStructDepth} levels reached`);
  const json: JsonObject = {};
  const end = endOf(from);
  while (from.pos < end) {
    const tag = from.uint32();
    if (tag === tags.first) readEntry(from, json, depth);
    else skip(from, tag);
  }
  return json;
}

function readEntry(from: BinaryReader, json: JsonObject, depth: number): void {
  const end = endOf(from);
  let key = "";
  let value: JsonValue = null;
  while (from.pos < end) {
    const tag = from.uint32();
    if (tag === tags.first) key = from.string(true);
    else if (tag === tags.second) value = readValue(from, depth);
    else skip(from, tag);
  }
  if (key === "__proto__") Object.defineProperty(json, key, { value, enumerable: true, configurable: true, writable: true });
  else json[key] = value;
}

function readValue(from: BinaryReader, depth: number): JsonValue {
  const end = endOf(from);
  let value: JsonValue = null;
  while (from.pos < end) {
    const tag = from.uint32();
    switch (tag) {
      case tags.string:
        value = from.string(true);
        break;
      case tags.number:
        value = from.double();
        break;
      case tags.bool:
        value = from.bool();
        break;
      case tags.null:
        from.uint32();
        value = null;
        break;
      case tags.struct:
        value = readStruct(from, depth + 1);
        break;
      case tags.list:
        value = readList(from, depth + 1);
        break;
      default:
        skip(from, tag);
    }
  }
  return value;
}

function readList(from: BinaryReader, depth: number): JsonValue[] {
  if (depth > maxStructDepth) throw new Error(`maximum recursion depth of ${maxStructDepth} levels reached`);
  const values: JsonValue[] = [];
  const end = endOf(from);
  while (from.pos < end) {
    const tag = from.uint32();
    if (tag === tags.first) values.push(readValue(from, depth));
    else skip(from, tag);
  }
  return values;
}

/** Position after a field with a length, which is read. */
function endOf(from: BinaryReader): number {
  const length = from.uint32();
  const end = from.pos + length;
  if (end > from.len) throw new RangeError("premature EOF");
  return end;
}

function skip(from: BinaryReader, tag: number): void {
  const wireType = wireTypes[tag & 7];
  if (wireType === undefined || tag >>> 3 === 0) throw new Error(`illegal tag: ${tag}`);
  from.skip(wireType, tag >>> 3);
}

/** Wire types by number. */
const wireTypes: readonly WireType[] = [
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.StartGroup,
  WireType.EndGroup,
  WireType.Bit32,
];
