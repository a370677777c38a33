// SPDX-License-Identifier: Apache-2.0
/**
 * Expected values, by the names of terraform-plugin-testing's `knownvalue`. Data such as `"Bread"` or `["a", "b"]` needs none of them.
 *
 * @module
 */
export type { Expected, ExpectedData, KnownValue, Mismatch } from "./known-value.ts";
export type { Json, JsonObject, RawNumber } from "../documents/json.ts";
export type { PathStep } from "../documents/value-path.ts";
export {
  boolExact,
  float32Exact,
  float64Exact,
  int32Exact,
  int64Exact,
  notNull,
  nullExact,
  numberExact,
  stringExact,
  stringRegexp,
} from "./scalar.ts";
export { boolFunc, listFunc, mapFunc, numberFunc, objectFunc, setFunc, stringFunc, tupleFunc } from "./predicate.ts";
export {
  listExact,
  listPartial,
  listSizeExact,
  mapExact,
  mapPartial,
  mapSizeExact,
  objectExact,
  objectPartial,
  setExact,
  setPartial,
  setSizeExact,
  tupleExact,
  tuplePartial,
  tupleSizeExact,
} from "./collection.ts";
