// SPDX-License-Identifier: Apache-2.0
/**
 * Conversions between types, and the type that several have in common.
 *
 * @module
 */
export { convert, getConversion, getConversionUnsafe, mismatchMessage, unify, unifyUnsafe } from "./convert.ts";
export type { Conversion, Unification } from "./rules.ts";
