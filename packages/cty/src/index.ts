// SPDX-License-Identifier: Apache-2.0
/**
 * go-cty's types and values: what Terraform and OpenTofu compute with.
 *
 * @module
 */
export {
  bool,
  capsule,
  dynamic,
  hasDynamic,
  isCollectionType,
  isPrimitiveType,
  isType,
  list,
  map,
  number,
  object,
  optional,
  set,
  string,
  tuple,
  withoutOptionalAttributes,
  type BoolType,
  type CapsuleType,
  type CollectionType,
  type DynamicType,
  type ListType,
  type MapType,
  type NumberType,
  type ObjectType,
  type ObjectTypeOf,
  type OptionalAttribute,
  type PrimitiveType,
  type SetType,
  type StringType,
  type TupleType,
  type Type,
} from "./type.ts";
export { friendlyName, friendlyNameForConstraint } from "./type-names.ts";
export { testConformance } from "./type-conform.ts";
export type { CapsuleOps } from "./capsule.ts";
export type { Data, Infer, Input, Num } from "./infer.ts";

export { goString, isValue, type Value } from "./value.ts";
export type { Payload } from "./payload.ts";
export { BigFloat } from "./number/big-float.ts";
export { of } from "./from-js.ts";
export { toJs } from "./to-js.ts";
export { capsuleOf, listOf, mapOf, nullOf, objectOf, setOf, tupleOf, unknown } from "./value-init.ts";
export { get } from "./get.ts";
export { hasElement, hasIndex, index, length, type Key } from "./indexing.ts";
export {
  canIterateElements,
  elements,
  equals,
  hash,
  hasWhollyKnownType,
  isKnown,
  isNull,
  isWhollyKnown,
  lengthInt,
  same,
} from "./value-ops.ts";
export { absolute, add, divide, modulo, multiply, negate, negativeInfinity, positiveInfinity, subtract, zero } from "./arithmetic.ts";
export { and, greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual, not, notEquals, or } from "./logic.ts";
export { deepValues, transform, unknownAsNull, walk, type Transformer } from "./walk.ts";

export {
  containsMarked,
  hasMarkDeep,
  hasSameMarks,
  isMarked,
  mark,
  marks,
  markWithPaths,
  unmark,
  unmarkDeep,
  unmarkDeepWithPaths,
  withMarks,
  type PathMarks,
} from "./marks.ts";
export { wrangleMarks, type MarkAction, type MarkWrangler } from "./marks-wrangle.ts";
export type { Mark } from "./payload.ts";
export { refine, type BoundInput, type Refinements } from "./unknown-refinement.ts";
export { range, rangeIncludes, type ValueRange } from "./value-range.ts";

export { applyPath } from "./apply-path.ts";
export { PathSet } from "./path-set.ts";
export { attributeStep, formatPath, indexStep, pathEquals, pathHasPrefix } from "./path.ts";
export type { Path, PathStep } from "./path-step.ts";

export { safeKnownPrefix } from "./ctystrings/prefix.ts";

export { CtyError, type CtyErrorCode } from "./error.ts";
