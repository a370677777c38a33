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
export { equals, isKnown, isNull, isWhollyKnown, same } from "./value-ops.ts";

export { containsMarked, hasMarkDeep, hasSameMarks, isMarked, mark, marks, unmark, unmarkDeep, withMarks } from "./marks.ts";
export type { Mark } from "./payload.ts";
export { refine, type BoundInput, type Refinements } from "./unknown-refinement.ts";
export { range, rangeIncludes, type ValueRange } from "./value-range.ts";

export { formatPath, pathEquals, pathHasPrefix } from "./path.ts";
export { attributeStep, indexStep, type Path, type PathStep } from "./path-step.ts";

export { safeKnownPrefix } from "./ctystrings/prefix.ts";

export { CtyError, type CtyErrorCode } from "./error.ts";
