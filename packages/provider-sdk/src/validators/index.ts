// SPDX-License-Identifier: Apache-2.0
/**
 * Validators: checks of one value, for the `validators` of an attribute or block.
 *
 * @module
 */
export type { Validator } from "../definition/attribute-options.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "../definition/standard-schema.ts";
export type { Finding, Verdict } from "../definition/verdict.ts";
export { allOf, anyOf, anyOfWithAllWarnings, not } from "./choice.ts";
export { eachElement, eachKey, eachValue, noNullElements, size, uniqueElements } from "./collection.ts";
export { atLeast, atMost, between, wholeNumber } from "./number.ts";
export { matches, noneOfIgnoringCase, oneOfIgnoringCase, stringLength, utf8Length } from "./string.ts";
export { noneOf, oneOf } from "./value.ts";
