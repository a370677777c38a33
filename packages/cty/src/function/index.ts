// SPDX-License-Identifier: Apache-2.0
/**
 * Functions over values, for the expressions of a language that is built on cty.
 *
 * @module
 */
export { CtyFunction, defineFunction, type Arguments, type FunctionSpec } from "./function.ts";
export type { Parameter } from "./argument.ts";
export { argumentError, FunctionError, type FunctionErrorDetails } from "./error.ts";
export { unpredictable } from "./unpredictable.ts";
