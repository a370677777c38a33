// SPDX-License-Identifier: Apache-2.0
import { reported } from "../failure.ts";
import { isExact, type Type } from "../type.ts";
import { valueOf, type Value } from "../value.ts";
import { payloadDecoder } from "./payload-decoder.ts";
import { Reader } from "./reader.ts";
import { valueDecoder } from "./value-decoder.ts";

/**
 * Reads a value of the type from msgpack, as go-cty and Terraform's protocol write it.
 *
 * Where the type has {@link dynamic} parts, the result's `type` is the concrete one. Null and unknown values and empty
 * collections keep optional attributes in their types; an object has none. Bytes after the value are ignored, as
 * go-cty ignores them. Where go-cty panics, drops an error or returns an inconsistent value (duplicate or missing
 * attributes, keys that are no strings, elements of different types), this refuses.
 *
 * @throws CtyError `MALFORMED` with the path of what is not as it must be; `LIMIT` for more than 1000 nested levels.
 * @see go-cty msgpack.Unmarshal
 */
export function decode<T extends Type>(bytes: Uint8Array, type: T): Value<T> {
  const reader = new Reader(bytes);
  const value = reported(() => (isExact(type) ? valueOf(type, payloadDecoder(type)(reader)) : valueDecoder(type)(reader)));
  return value as Value<T>;
}
