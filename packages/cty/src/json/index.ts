// SPDX-License-Identifier: Apache-2.0
/**
 * Values and types as JSON, as go-cty writes and reads them.
 *
 * @module
 */
export { decode, type DecodeOptions } from "./decode.ts";
export { encode } from "./encode.ts";
export { impliedType } from "./type-implied.ts";
export { decodeType, encodeType } from "./type.ts";
export type { EncodeOptions } from "../encode-options.ts";
