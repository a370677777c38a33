// SPDX-License-Identifier: Apache-2.0
/**
 * Evaluation of expressions in a scope.
 *
 * @module
 */
export { attributeOf, followPath, indexOf } from "./access.ts";
export {
  customDecoder,
  expressionClosureType,
  expressionType,
  nativeOf,
  type CustomDecoder,
  type ExpressionClosure,
} from "./custom-decoding.ts";
export { evaluate, type Evaluation } from "./evaluate.ts";
export { createScope, type Scope, type ScopeInput } from "../syntax/scope.ts";
export { canFunction, tryFunction } from "./try.ts";
