// SPDX-License-Identifier: Apache-2.0
/**
 * Values as msgpack, the form they have in Terraform's plugin protocol: byte for byte what go-cty writes.
 *
 * @module
 */
export { decode } from "./decode.ts";
export { encode, encodeTo } from "./encode.ts";
export { impliedType } from "./type-implied.ts";
export { Writer } from "./writer.ts";
export type { EncodeOptions } from "../encode-options.ts";
