// SPDX-License-Identifier: Apache-2.0
/**
 * Messages as text: protobuf's text format, and the JSON of Go's generated structs. The debug logs of other programs have both.
 *
 * @module
 */
export { formatGoJson, parseGoJson } from "./go-json.ts";
export { decodeMessage } from "./decode-message.ts";
export { formatProtoText } from "./proto-text.ts";
export { parseProtoText } from "./proto-text-parser.ts";
