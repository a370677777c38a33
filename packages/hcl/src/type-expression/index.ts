// SPDX-License-Identifier: Apache-2.0
/**
 * Type expressions: types, optional attributes and their defaults.
 *
 * @module
 */
export { convertFunction, typeConstraintType } from "./convert-function.ts";
export { applyDefaults, type Defaults } from "./defaults.ts";
export {
  readType,
  readTypeConstraint,
  readTypeConstraintWithDefaults,
  type ReadType,
  type ReadTypeWithDefaults,
} from "./type-expression.ts";
export { typeText } from "./type-text.ts";
