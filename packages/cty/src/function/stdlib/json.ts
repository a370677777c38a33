// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../../error/error.ts";
import { decode } from "../../json/decode.ts";
import { encode } from "../../json/encode.ts";
import { impliedType } from "../../json/type-implied.ts";
import { goQuoteCharacter } from "./format/go-format.ts";
import { bool, dynamic, number, string } from "../../type/type.ts";
import type { Type } from "../../model/type.ts";
import { unknown } from "../../construction/value-init.ts";
import { isKnown, isNull, isWhollyKnown } from "../../equality/value-ops.ts";
import { range } from "../../refinement/value-range.ts";
import type { Value } from "../../model/value.ts";
import { argumentError, FunctionError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { trimSpace } from "./letter-case.ts";
import { syntaxProblem } from "./json-syntax.ts";
import { stringOf, stringValue } from "./argument/native.ts";

/**
 * Encodes a value as JSON. For a value with unknown parts, the result is unknown, and refined with its first character.
 *
 * @example
 * jsonEncodeFunc.call([of(dynamic, { a: [1, null] })])
 * // => cty.StringVal("{\"a\":[1,null]}")
 *
 * @see go-cty stdlib.JSONEncodeFunc
 */
export const jsonEncodeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Encodes a value as JSON.",
  params: [{ name: "val", type: dynamic, allowUnknown: true, allowDynamicType: true, allowNull: true }],
  type: string,
  refineResult: { notNull: true },
  impl: ([val]) => {
    if (!isWhollyKnown(val)) return unknownText(val);
    return stringValue(isNull(val) ? "null" : encode(val, val.type));
  },
});

/** The unknown JSON of a value. It has no prefix if the value may be null, because `null` begins with another character. */
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
 * Decodes a JSON text to a value, with objects for JSON objects and tuples for JSON arrays.
 *
 * @example
 * jsonDecodeFunc.call([of(string, '{"a":[1,true]}')])
 * // => cty.ObjectVal(map[string]cty.Value{"a":cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.True})})
 *
 * @see go-cty stdlib.JSONDecodeFunc
 */
export const jsonDecodeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Decodes a JSON text.",
  params: [{ name: "str", type: string }],
  type: ([str]) => (isKnown(str) ? typeOfText(stringOf(str)) : predictedType(range(str).prefix ?? "")),
  impl: ([str], type) => decode(stringOf(str), type),
});

/** The implied type of a JSON text. A syntax error has the text of Go's library. */
function typeOfText(text: string): Type {
  try {
    return impliedType(text);
  } catch (error) {
    if (!(error instanceof CtyError) || error.code !== "MALFORMED" || goCtyError.test(error.message)) throw error;
    throw new FunctionError("MALFORMED", syntaxProblem(text) ?? error.message, { cause: error });
  }
}

/** Matches go-cty's own errors about text without a syntax error. */
const goCtyError: RegExp = /^(?:extraneous data|duplicate ")/;

/** The type that the start of a JSON text implies. @throws FunctionError if no JSON text starts so. */
function predictedType(prefix: string): Type {
  const [first] = trimSpace(prefix);
  if (first === undefined || "{[n".includes(first)) return dynamic;
  if (first === '"') return string;
  if (first === "t" || first === "f") return bool;
  if ("-0123456789.".includes(first)) return number;
  throw argumentError(0, `a JSON document cannot begin with the character ${goQuoteCharacter(first)}`);
}
