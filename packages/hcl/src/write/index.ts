// SPDX-License-Identifier: Apache-2.0
/**
 * Sources of HCL's native syntax written anew.
 *
 * @module
 */
export { format } from "./format.ts";
export { formatConfiguration, type FormattedConfiguration } from "./format-configuration.ts";
export type { EditableAttribute, EditableBlock, EditableBody } from "./editable-body.ts";
export { parseEditable, type ParsedEditable } from "./parse-editable.ts";
