// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../../error.ts";
import { decode } from "../../json/decode.ts";
import { encode } from "../../json/encode.ts";
import { impliedType } from "../../json/type-implied.ts";
import { goQuoteCharacter } from "./go-format.ts";
import { bool, dynamic, number, string, type Type } from "../../type.ts";
import { unknown } from "../../value-init.ts";
import { isKnown, isNull, isWhollyKnown } from "../../value-ops.ts";
import { range } from "../../value-range.ts";
import type { Value } from "../../value.ts";
import { argumentError, FunctionError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { trimSpace } from "./letter-case.ts";
import { syntaxProblem } from "./json-syntax.ts";
import { stringOf, stringValue } from "./native.ts";

/**
 * A value as JSON. Of one with unknown parts only the first character is told.
 *
 * @example
 * jsonEncodeFunc.call([of(dynamic, { a: [1, null] })])
 * // => cty.StringVal("{\"a\":[1,null]}")
 *
 * @see go-cty stdlib.JSONEncodeFunc
 */
export const jsonEncodeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Writes a value as JSON.",
  params: [{ name: "val", type: dynamic, allowUnknown: true, allowDynamicType: true, allowNull: true }],
  type: string,
  refineResult: { notNull: true },
  impl: ([val]) => {
    if (!isWhollyKnown(val)) return unknownText(val);
    return stringValue(isNull(val) ? "null" : encode(val, val.type));
  },
});

/** Null has a beginning of its own, and so nothing is told of what may be null. */
function unknownText(value: Value): Value {
  const { notNull } = range(value);
  const first = firstCharacter(value.type);
  return notNull && first !== undefined ? unknown(string, { prefixFull: first }) : unknown(string);
}

function firstCharacter(type: Type): string | undefined {
  switch (type.kind) {
    case "string":
      return '"';
    case "object":
    case "map":
      return "{";
    case "tuple":
    case "list":
    case "set":
      return "[";
    default:
      return undefined;
  }
}

/**
 * The value that a JSON text is: of objects, tuples and primitives.
 *
 * @example
 * jsonDecodeFunc.call([of(string, '{"a":[1,true]}')])
 * // => cty.ObjectVal(map[string]cty.Value{"a":cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.True})})
 *
 * @see go-cty stdlib.JSONDecodeFunc
 */
export const jsonDecodeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Reads a JSON text.",
  params: [{ name: "str", type: string }],
  type: ([str]) => (isKnown(str) ? typeOfText(stringOf(str)) : predictedType(range(str).prefix ?? "")),
  impl: ([str], type) => decode(stringOf(str), type),
});

/** Text that is no JSON at all is refused in the words of Go's library. */
function typeOfText(text: string): Type {
  try {
    return impliedType(text);
  } catch (error) {
    if (!(error instanceof CtyError) || error.code !== "MALFORMED" || goCtyWords.test(error.message)) throw error;
    throw new FunctionError("MALFORMED", syntaxProblem(text) ?? error.message, { cause: error });
  }
}

/** What go-cty says itself of text that is JSON. */
const goCtyWords: RegExp = /^(?:extraneous data|duplicate ")/;

/** How JSON begins tells the type, or that it is none. */
function predictedType(prefix: string): Type {
  const [first] = trimSpace(prefix);
  if (first === undefined || "{[n".includes(first)) return dynamic;
  if (first === '"') return string;
  if (first === "t" || first === "f") return bool;
  if ("-0123456789.".includes(first)) return number;
  throw argumentError(0, `a JSON document cannot begin with the character ${goQuoteCharacter(first)}`);
}
