// SPDX-License-Identifier: Apache-2.0
/**
 * Functions over values: what a language built on cty calls.
 *
 * @module
 */
export { CtyFunction, defineFunction, type Arguments, type FunctionSpec } from "./function.ts";
export type { Parameter } from "./argument.ts";
export { argumentError, FunctionError, type FunctionErrorDetails } from "./error.ts";
export { unpredictable } from "./unpredictable.ts";
