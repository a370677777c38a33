// SPDX-License-Identifier: Apache-2.0
/**
 * The operators of a language: arithmetic, order, logic and elements of values that may be unknown or marked.
 *
 * @module
 */
export { absolute, add, divide, modulo, multiply, negate, negativeInfinity, positiveInfinity, subtract, zero } from "./arithmetic.ts";
export { canIterateElements, elements, hasWhollyKnownType, lengthInt } from "./elements.ts";
export { hash } from "./hash.ts";
export { hasElement, hasIndex, index, length, type Key } from "./indexing.ts";
export { and, greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual, not, notEquals, or } from "./logic.ts";
