// SPDX-License-Identifier: Apache-2.0
/**
 * Bodies of either syntax, read by a schema, merged and overridden.
 *
 * @module
 */
export type { Attribute, AttributeSchema, Block, BlockSchema, Body, BodyContent, BodyResult, BodySchema } from "./body.ts";
export { jsonBody } from "./json-body.ts";
export { mergeBodies } from "./merged-body.ts";
export { nativeBody } from "./native-body.ts";
export { overrideBody } from "./override-body.ts";
