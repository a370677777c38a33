// SPDX-License-Identifier: Apache-2.0
/**
 * Receives the response of GetProviderSchema without decoding its schemas: callers decode the bytes of each schema on demand.
 *
 * @module
 */
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { ProtocolError } from "./error.ts";
import { SchemaRangesSchema } from "./gen/lean/tenon/schema_ranges_pb.ts";

export { type SchemaRanges, SchemaRangesSchema } from "./gen/lean/tenon/schema_ranges_pb.ts";

/** An entry of a protobuf map with string keys and an encoded value. */
export interface MapEntry {
  /** Name of a type. */
  readonly key: string;
  /** Encoded message: a view of the bytes of the entry, not a copy. */
  readonly value: Uint8Array;
}

/**
 * Returns the same method with {@link SchemaRanges} as its response type. Path and request are unchanged, so any server can be called.
 *
 * Works for `Provider.getSchema` of tfplugin5 and `Provider.getProviderSchema` of tfplugin6, over any transport.
 *
 * @example
 * const method = schemaRangesMethod(Provider.method.getProviderSchema);
 * const { message } = await transport.unary(method, undefined, undefined, undefined, {});
 * const schemas = new Map(message.resourceSchemas.map(mapEntry).map(({ key, value }) => [key, value]));
 */
export function schemaRangesMethod<Method extends DescMethodUnary>(
  method: Method,
): DescMethodUnary<Method["input"], typeof SchemaRangesSchema> {
  return { ...method, output: SchemaRangesSchema };
}

/**
 * Decodes an entry of a map field.
 *
 * A missing key is the empty string, and a missing value an empty message. The last one of several keys or values counts, as in protobuf.
 *
 * @throws ProtocolError `MESSAGE_MALFORMED` when the bytes are not a valid entry.
 */
export function mapEntry(bytes: Uint8Array): MapEntry {
  const reader = new BinaryReader(bytes);
  let key = "";
  let value: Uint8Array = emptyMessage;
  try {
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field === 1 && wireType === WireType.LengthDelimited) key = reader.string(true);
      else if (field === 2 && wireType === WireType.LengthDelimited) value = reader.bytes();
      else reader.skip(wireType, field);
    }
  } catch (cause) {
    throw new ProtocolError("MESSAGE_MALFORMED", "an entry of a map of schemas is malformed", { cause });
  }
  return { key, value };
}

const emptyMessage = new Uint8Array(0);
