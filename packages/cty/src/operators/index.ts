// SPDX-License-Identifier: Apache-2.0
/**
 * Operators for the expressions of a language: arithmetic, comparison, logic and indexing. They accept unknown and marked values.
 *
 * @module
 */
export { absolute, add, divide, modulo, multiply, negate, negativeInfinity, positiveInfinity, subtract, zero } from "./arithmetic.ts";
export { canIterateElements, elements, hasWhollyKnownType, lengthInt } from "./elements.ts";
export { hash } from "./hash.ts";
export { hasElement, hasIndex, index, length, type Key } from "./indexing.ts";
export { and, greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual, not, notEquals, or } from "./logic.ts";
export { precision, withPrecision } from "./precision.ts";
