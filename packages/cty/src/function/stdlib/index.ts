// SPDX-License-Identifier: Apache-2.0
/**
 * go-cty's standard functions, under their go-cty names.
 *
 * @module
 */
export { andFunc, notFunc, orFunc } from "./bool.ts";
export { bytes, bytesLenFunc, bytesOf, bytesSliceFunc } from "./bytes.ts";
export { containsFunc, elementFunc, hasIndexFunc, indexFunc, lengthFunc } from "./collection/element.ts";
export { flattenFunc } from "./collection/flatten.ts";
export { chunklistFunc, coalesceListFunc, compactFunc, distinctFunc, reverseListFunc, sliceFunc } from "./collection/list.ts";
export { keysFunc, lookupFunc, mergeFunc, valuesFunc, zipmapFunc } from "./collection/map.ts";
export { setProductFunc } from "./collection/set-product.ts";
export { assertNotNullFunc, makeToFunc } from "./conversion.ts";
export { csvDecodeFunc } from "./csv.ts";
export { formatDateFunc, timeAddFunc } from "./datetime.ts";
export { formatFunc, formatListFunc } from "./format.ts";
export { coalesceFunc, equalFunc, notEqualFunc } from "./general.ts";
export { jsonDecodeFunc, jsonEncodeFunc } from "./json.ts";
export { absoluteFunc, addFunc, divideFunc, moduloFunc, multiplyFunc, negateFunc, signumFunc, subtractFunc } from "./number/arithmetic.ts";
export { greaterThanFunc, greaterThanOrEqualToFunc, lessThanFunc, lessThanOrEqualToFunc, maxFunc, minFunc } from "./number/comparison.ts";
export { logFunc, powFunc } from "./number/logarithm.ts";
export { parseIntFunc } from "./number/parse-int.ts";
export { ceilFunc, floorFunc, intFunc } from "./number/rounding.ts";
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
