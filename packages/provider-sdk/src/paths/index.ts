// SPDX-License-Identifier: Apache-2.0
/**
 * Path expressions: references to any part of a configuration, for rules and plan modifiers.
 *
 * @module
 */
export { fromRoot, here, PathExpression, type ExpressionStep } from "./path-expression.ts";
