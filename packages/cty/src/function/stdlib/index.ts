// SPDX-License-Identifier: Apache-2.0
/**
 * go-cty's standard functions, by the names they have there.
 *
 * @module
 */
export { andFunc, notFunc, orFunc } from "./bool.ts";
export { bytes, bytesLenFunc, bytesOf, bytesSliceFunc } from "./bytes.ts";
export {
  chunklistFunc,
  coalesceListFunc,
  compactFunc,
  containsFunc,
  distinctFunc,
  elementFunc,
  flattenFunc,
  hasIndexFunc,
  indexFunc,
  keysFunc,
  lengthFunc,
  lookupFunc,
  mergeFunc,
  reverseListFunc,
  setProductFunc,
  sliceFunc,
  valuesFunc,
  zipmapFunc,
} from "./collection.ts";
export { assertNotNullFunc, makeToFunc } from "./conversion.ts";
export { csvDecodeFunc } from "./csv.ts";
export { formatDateFunc, timeAddFunc } from "./datetime.ts";
export { formatFunc, formatListFunc } from "./format.ts";
export { coalesceFunc, equalFunc, notEqualFunc } from "./general.ts";
export { jsonDecodeFunc, jsonEncodeFunc } from "./json.ts";
export {
  absoluteFunc,
  addFunc,
  ceilFunc,
  divideFunc,
  floorFunc,
  greaterThanFunc,
  greaterThanOrEqualToFunc,
  intFunc,
  lessThanFunc,
  lessThanOrEqualToFunc,
  logFunc,
  maxFunc,
  minFunc,
  moduloFunc,
  multiplyFunc,
  negateFunc,
  parseIntFunc,
  powFunc,
  signumFunc,
  subtractFunc,
} from "./number.ts";
export { regexAllFunc, regexFunc } from "./regexp.ts";
export { concatFunc, rangeFunc } from "./sequence.ts";
export { setHasElementFunc, setIntersectionFunc, setSubtractFunc, setSymmetricDifferenceFunc, setUnionFunc } from "./set.ts";
export {
  chompFunc,
  indentFunc,
  joinFunc,
  lowerFunc,
  reverseFunc,
  sortFunc,
  splitFunc,
  strlenFunc,
  substrFunc,
  titleFunc,
  trimFunc,
  trimPrefixFunc,
  trimSpaceFunc,
  trimSuffixFunc,
  upperFunc,
} from "./string.ts";
export { regexReplaceFunc, replaceFunc } from "./string-replace.ts";
