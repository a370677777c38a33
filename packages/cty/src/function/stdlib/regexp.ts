// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, objectFromMap, string, tuple } from "../../type/type.ts";
import type { ListType, Type } from "../../model/type.ts";
import { listOf, nullOf, objectOf, tupleOf, unknown } from "../../construction/value-init.ts";
import { isKnown } from "../../equality/value-ops.ts";
import type { Value } from "../../model/value.ts";
import { argumentError, callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { stringOf, stringValue } from "./argument/native.ts";
import { compilePattern, findMatch, findMatches, PatternError, type Match, type Pattern } from "./regular-expression/pattern.ts";

/**
 * The first match of a regular expression in a text: a string if the pattern has no groups, an object if its groups have names, and
 * a tuple otherwise. A group that did not participate in the match is null.
 *
 * @example
 * regexFunc.call([of(string, "(?P<year>\\d{4})-(?P<month>\\d\\d)"), of(string, "on 2020-02-29")])
 * // => cty.ObjectVal(map[string]cty.Value{"month":cty.StringVal("02"), "year":cty.StringVal("2020")})
 *
 * @see go-cty stdlib.RegexFunc
 */
export const regexFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the first match of a regular expression.",
  params: [
    { name: "pattern", type: string },
    { name: "string", type: string },
  ],
  type: ([pattern]) => (isKnown(pattern) ? resultType(patternOf(pattern)) : dynamic),
  refineResult: { notNull: true },
  impl: ([patternValue, str], type) => {
    if (type === dynamic) return unknown(dynamic);
    const pattern = patternOf(patternValue);
    const text = stringOf(str);
    const match = findMatch(pattern, text);
    if (match === undefined) throw callError("pattern did not match any part of the given string");
    return resultOf(pattern, text, match, type);
  },
});

/**
 * All matches of a regular expression in a text that do not overlap, each as {@link regexFunc} returns it.
 *
 * @example
 * regexAllFunc.call([of(string, "[a-z]+"), of(string, "foo 1 bar")])
 * // => cty.ListVal([]cty.Value{cty.StringVal("foo"), cty.StringVal("bar")})
 *
 * @see go-cty stdlib.RegexAllFunc
 */
export const regexAllFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns all matches of a regular expression.",
  params: [
    { name: "pattern", type: string },
    { name: "string", type: string },
  ],
  type: ([pattern]) => list(isKnown(pattern) ? resultType(patternOf(pattern)) : dynamic),
  refineResult: { notNull: true },
  impl: ([patternValue, str], type) => {
    const { element } = type as ListType;
    if (element === dynamic) return unknown(dynamic);
    const pattern = patternOf(patternValue);
    const text = stringOf(str);
    return listOf(
      Array.from(findMatches(pattern, text), (match) => resultOf(pattern, text, match, element)),
      element,
    );
  },
});

function patternOf(value: Value): Pattern {
  try {
    return compilePattern(stringOf(value));
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw argumentError(0, `invalid regexp pattern: ${error.reason} in ${error.expression}`);
  }
}

function resultType({ groups }: Pattern): Type {
  if (groups.length === 0) return string;
  const names = groups.filter((name) => name !== undefined);
  if (names.length === 0) return tuple(...groups.map(() => string));
  if (names.length === groups.length) return objectFromMap(new Map(names.map((name) => [name, string])));
  throw argumentError(0, "invalid regexp pattern: cannot mix both named and unnamed capture groups");
}

function resultOf({ groups }: Pattern, text: string, match: Match, type: Type): Value {
  const part = (group: number): Value =>
    match[2 * group]! < 0 ? nullOf(string) : stringValue(text.slice(match[2 * group], match[2 * group + 1]));
  if (type === string) return part(0);
  const parts = groups.map((_, index) => part(index + 1));
  return type.kind === "tuple" ? tupleOf(parts) : objectOf(new Map(groups.map((name, index) => [name!, parts[index]!])));
}
