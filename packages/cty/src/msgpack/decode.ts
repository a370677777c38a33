// SPDX-License-Identifier: Apache-2.0
import { reported } from "../codec/failure.ts";
import { isExact } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { payloadDecoder } from "./payload-decoder.ts";
import { Reader } from "./reader.ts";
import { valueDecoder } from "./value-decoder.ts";

/**
 * Decodes a value of the type from msgpack, as encoded by go-cty and Terraform's plugin protocol.
 *
 * Where the type has {@link dynamic} parts, the result's `type` is the concrete type. Null values, unknown values and empty
 * collections keep optional attributes in their types; objects do not. As in go-cty, bytes after the value are ignored. Input for
 * which go-cty panics, drops an error or returns an inconsistent value is rejected: duplicate or missing attributes, keys that are not
 * strings, elements of different types.
 *
 * @throws CtyError `MALFORMED` with the path of the invalid part; `LIMIT` for more than 1000 nested levels.
 * @see go-cty msgpack.Unmarshal
 */
export function decode<T extends Type>(bytes: Uint8Array, type: T): Value<T> {
  const reader = new Reader(bytes);
  const value = reported(() => (isExact(type) ? valueOf(type, payloadDecoder(type)(reader)) : valueDecoder(type)(reader)));
  return value as Value<T>;
}
