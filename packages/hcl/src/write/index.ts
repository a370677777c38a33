// SPDX-License-Identifier: Apache-2.0
/**
 * Formatting and editing of sources in the native syntax.
 *
 * @module
 */
export { format } from "./format.ts";
export { formatConfiguration, type FormattedConfiguration } from "./format-configuration.ts";
export type { EditableAttribute, EditableBlock, EditableBody } from "./editable-body.ts";
export { parseEditable, type ParsedEditable } from "./parse-editable.ts";
