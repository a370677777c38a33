// SPDX-License-Identifier: Apache-2.0
/**
 * Values as msgpack, the encoding of Terraform's plugin protocol. The bytes equal go-cty's.
 *
 * @module
 */
export { decode } from "./decode.ts";
export { encode, encodeTo } from "./encode.ts";
export { impliedType } from "./type-implied.ts";
export { Writer } from "./writer.ts";
export type { EncodeOptions } from "../codec/encode-options.ts";
