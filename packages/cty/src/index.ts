// SPDX-License-Identifier: Apache-2.0
/**
 * go-cty's types and values: the data that Terraform and OpenTofu compute with.
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
  type ObjectTypeOf,
} from "./type/type.ts";
export type {
  BoolType,
  CapsuleType,
  CollectionType,
  DynamicType,
  ListType,
  MapType,
  NumberType,
  ObjectType,
  OptionalAttribute,
  PrimitiveType,
  SetType,
  StringType,
  TupleType,
  Type,
} from "./model/type.ts";
export { friendlyName, friendlyNameForConstraint } from "./type/type-names.ts";
export { testConformance } from "./value/type-conform.ts";
export type { CapsuleOps } from "./model/capsule-ops.ts";
export type { Data, Infer, Input, Num } from "./javascript/infer.ts";

export { goString, isValue } from "./value/value.ts";
export type { Value } from "./model/value.ts";
export type { Payload } from "./payload/payload.ts";
export { BigFloat } from "./number/big-float.ts";
export { of } from "./javascript/from-js.ts";
export { toJs } from "./javascript/to-js.ts";
export { capsuleOf, listOf, mapOf, nullOf, objectOf, setOf, tupleOf, unknown } from "./construction/value-init.ts";
export { get } from "./value/get.ts";
export { equals, isKnown, isNull, isWhollyKnown, same } from "./equality/value-ops.ts";

export { containsMarked, hasMarkDeep, hasSameMarks, isMarked, mark, marks, unmark, unmarkDeep, withMarks } from "./value/marks.ts";
export type { Mark } from "./payload/payload.ts";
export { refine, type BoundInput, type Refinements } from "./refinement/unknown-refinement.ts";
export { range, rangeIncludes, type ValueRange } from "./refinement/value-range.ts";

export { formatPath, pathEquals, pathHasPrefix } from "./equality/path.ts";
export { attributeStep, indexStep } from "./value/path-step.ts";
export type { Path, PathStep } from "./model/path.ts";

export { safeKnownPrefix } from "./text/prefix.ts";

export { CtyError, type CtyErrorCode } from "./error/error.ts";
