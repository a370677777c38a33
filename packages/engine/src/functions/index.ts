// SPDX-License-Identifier: Apache-2.0
/**
 * OpenTofu's built-in functions, for any program that evaluates HCL.
 *
 * @module
 */
export { createFunctionTable, type FunctionTableOptions } from "./table.ts";
export { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
export { processEnvironment, type FunctionEnvironment, type FunctionVersion } from "./environment.ts";
export { diskAccess, FileForbiddenError, filesBelow, type FileAccess, type FileKind } from "./file-access.ts";
