// SPDX-License-Identifier: Apache-2.0
import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { isStructField } from "../../carrier/struct-map.ts";
import { messagePrefixLength } from "./message-reader.ts";
import { writeStruct } from "./struct-writer.ts";

/** Size up to which the shared writer is reused, in bytes. */
const largestKept = 1 << 20;

const emptyPrefix = new Uint8Array(messagePrefixLength);

let shared = new BinaryWriter();

/**
 * Encodes a message with its prefix, to the same bytes as protobuf-es's `toBinary`.
 *
 * `toBinary` allocates a buffer for every message and grows it from 128 bytes, which takes longer than the encoding itself. Here all
 * messages share a writer.
 *
 * @throws ConnectError `ResourceExhausted` for a message above the limit.
 */
export function writeMessage<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>, maxBytes: number): Uint8Array {
  let bytes: Uint8Array;
  try {
    shared.raw(emptyPrefix);
    messageWriter(desc)(shared, message);
    bytes = shared.finish();
  } catch (error) {
    shared = new BinaryWriter();
    throw error;
  }
  const length = bytes.length - messagePrefixLength;
  if (length > largestKept) shared = new BinaryWriter();
  if (length > maxBytes) {
    throw new ConnectError(`cannot send a message of ${length} bytes; the maximum is ${maxBytes}`, Code.ResourceExhausted);
  }
  bytes[1] = length >>> 24;
  bytes[2] = length >>> 16;
  bytes[3] = length >>> 8;
  bytes[4] = length;
  return bytes;
}

/** Writes the fields of a message, or a value with its tag. */
type Write<Value> = (to: BinaryWriter, value: Value) => void;
/** Values of a message by the names of its properties. */
type Fields = Readonly<Record<string, unknown>>;

const writers = new WeakMap<DescMessage, Write<Message>>();

function messageWriter(desc: DescMessage): Write<Message> {
  let writer = writers.get(desc);
  if (writer === undefined) writers.set(desc, (writer = compile(desc)));
  return writer;
}

function compile(desc: DescMessage): Write<Message> {
  if (desc.fields.some(isRare)) return (to, message) => void to.raw(toBinary(desc, message));
  const { typeName } = desc;
  // Compiled on first use, because a message may contain messages of its own type.
  let fields: readonly Write<Fields>[] | undefined;
  return (to, message) => {
    if (message.$typeName !== typeName) throw new TypeError(`expected ${typeName}, got ${message.$typeName}`);
    fields ??= desc.fields.toSorted((one, other) => one.number - other.number).map(fieldWriter);
    for (const write of fields) write(to, message);
    for (const { no, wireType, data } of message.$unknown ?? []) to.tag(no, wireType).raw(data);
  };
}

/** Whether the field uses a feature that the plugin protocols do not: protobuf-es encodes messages with such a field. */
function isRare(field: DescField): boolean {
  const presence: number = field.presence;
  if (presence === fieldPresence.legacyRequired || ("delimitedEncoding" in field && field.delimitedEncoding)) return true;
  if (field.fieldKind === "map" && field.mapKey !== ScalarType.STRING) return true;
  return field.message !== undefined && !isStructField(field) && /^google\.protobuf\.(\w*Value|Struct)$/.test(field.message.typeName);
}

/** @see google.protobuf.FeatureSet.FieldPresence */
const fieldPresence = { implicit: 2, legacyRequired: 3 };

function fieldWriter(field: DescField): Write<Fields> {
  const { localName: name } = field;
  const write = valueWriter(field);
  switch (field.fieldKind) {
    case "list":
      if (field.packed) return packed(field, name);
      return (to, message) => {
        for (const item of message[name] as readonly unknown[]) write(to, item);
      };
    case "map":
      return (to, message) => {
        for (const [key, value] of Object.entries(message[name] as Fields)) {
          to.tag(field.number, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string(key);
          write(to, value);
          to.join();
        }
      };
    default:
      return singular(field, name, write);
  }
}

function singular(field: DescField, name: string, write: Write<unknown>): Write<Fields> {
  if (field.oneof !== undefined) {
    const { localName } = field.oneof;
    return (to, message) => {
      const chosen = message[localName] as { readonly case?: string; readonly value?: unknown };
      if (chosen.case === name) write(to, chosen.value);
    };
  }
  const presence: number = field.presence;
  if (presence !== fieldPresence.implicit) {
    // The default of a field that is not set is on the prototype.
    return (to, message) => {
      const value = message[name];
      if (value !== undefined && Object.hasOwn(message, name)) write(to, value);
    };
  }
  if (field.scalar === ScalarType.BYTES) {
    return (to, message) => {
      const value = message[name] as Uint8Array;
      if (value.length > 0) write(to, value);
    };
  }
  return (to, message) => {
    const value = message[name];
    // Minus zero is not the default.
    if (value !== "" && value !== false && value !== 0n && !Object.is(value, 0)) write(to, value);
  };
}

/** Writes a packed list: all numbers under one tag. */
function packed(field: DescField, name: string): Write<Fields> {
  const [, write] = scalars[scalarOf(field)];
  return (to, message) => {
    const items = message[name] as readonly never[];
    if (items.length === 0) return;
    to.tag(field.number, WireType.LengthDelimited).fork();
    for (const item of items) write(to, item);
    to.join();
  };
}

/** Writes one value of a field; for a map, the value of an entry, which has field number 2. */
function valueWriter(field: DescField): Write<unknown> {
  const number = field.fieldKind === "map" ? 2 : field.number;
  const { message } = field;
  if (message !== undefined) {
    const tag = tagOf(number, WireType.LengthDelimited);
    const write = isStructField(field) ? (writeStruct as Write<never>) : messageWriter(message);
    return (to, value) => {
      to.uint32(tag).fork();
      write(to, value as never);
      to.join();
    };
  }
  const [wireType, write] = scalars[scalarOf(field)];
  const tag = tagOf(number, wireType);
  return (to, value) => {
    to.uint32(tag);
    write(to, value as never);
  };
}

function tagOf(number: number, wireType: WireType): number {
  return ((number << 3) | wireType) >>> 0;
}

/** Scalar type of a field; enums are encoded as integers. */
function scalarOf(field: DescField): ScalarType {
  return field.scalar ?? ScalarType.INT32;
}

const scalars: Readonly<Record<ScalarType, readonly [WireType, Write<never>]>> = {
  [ScalarType.DOUBLE]: [WireType.Bit64, (to, value: number) => to.double(value)],
  [ScalarType.FLOAT]: [WireType.Bit32, (to, value: number) => to.float(value)],
  [ScalarType.INT64]: [WireType.Varint, (to, value: bigint) => to.int64(value)],
  [ScalarType.UINT64]: [WireType.Varint, (to, value: bigint) => to.uint64(value)],
  [ScalarType.INT32]: [WireType.Varint, (to, value: number) => to.int32(value)],
  [ScalarType.FIXED64]: [WireType.Bit64, (to, value: bigint) => to.fixed64(value)],
  [ScalarType.FIXED32]: [WireType.Bit32, (to, value: number) => to.fixed32(value)],
  [ScalarType.BOOL]: [WireType.Varint, (to, value: boolean) => to.bool(value)],
  [ScalarType.STRING]: [WireType.LengthDelimited, (to, value: string) => to.string(value)],
  [ScalarType.BYTES]: [WireType.LengthDelimited, (to, value: Uint8Array) => to.bytes(value)],
  [ScalarType.UINT32]: [WireType.Varint, (to, value: number) => to.uint32(value)],
  [ScalarType.SFIXED32]: [WireType.Bit32, (to, value: number) => to.sfixed32(value)],
  [ScalarType.SFIXED64]: [WireType.Bit64, (to, value: bigint) => to.sfixed64(value)],
  [ScalarType.SINT32]: [WireType.Varint, (to, value: number) => to.sint32(value)],
  [ScalarType.SINT64]: [WireType.Varint, (to, value: bigint) => to.sint64(value)],
};
