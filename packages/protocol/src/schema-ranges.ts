// SPDX-License-Identifier: Apache-2.0
/**
 * GetProviderSchema's response without decoding it: the bytes of each schema, to be decoded when one is asked for.
 *
 * @module
 */
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { ProtocolError } from "./error.ts";
import { SchemaRangesSchema } from "./gen/lean/tenon/schema_ranges_pb.ts";

export { type SchemaRanges, SchemaRangesSchema } from "./gen/lean/tenon/schema_ranges_pb.ts";

/** One entry of a protobuf map with string keys, its value still encoded. */
export interface MapEntry {
  /** A type's name. */
  readonly key: string;
  /** The encoded message; a view into the bytes it came from, not a copy. */
  readonly value: Uint8Array;
}

/**
 * The same call with its answer received as {@link SchemaRanges}: same path and request, so any server answers it.
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
 * Takes an entry of a map field apart.
 *
 * A missing key is the empty string and a missing value an empty message, as protobuf has it; the last of several wins.
 *
 * @throws ProtocolError `MESSAGE_MALFORMED` when the bytes are no such entry.
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
    throw new ProtocolError("MESSAGE_MALFORMED", "an entry of a schema map is cut off or damaged", { cause });
  }
  return { key, value };
}

const emptyMessage = new Uint8Array(0);
