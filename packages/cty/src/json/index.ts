// SPDX-License-Identifier: Apache-2.0
/**
 * Encodes and decodes values and types as JSON, like go-cty.
 *
 * @module
 */
export { decode, type DecodeOptions } from "./decode.ts";
export { encode } from "./encode.ts";
export { fromTree } from "./tree-decode.ts";
export { toTree } from "./tree-encode.ts";
export { parseTree, type RawJson, type Tree } from "./tree.ts";
export { impliedType } from "./type-implied.ts";
export { decodeType, encodeType } from "./type.ts";
export type { EncodeOptions } from "../codec/encode-options.ts";
