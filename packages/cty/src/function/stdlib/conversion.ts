// SPDX-License-Identifier: Apache-2.0
import { convert, getConversionUnsafe, mismatchMessage } from "../../convert/convert.ts";
import { CtyError } from "../../error/error.ts";
import { goQuote } from "../../text/go-quote.ts";
import { bool, dynamic, number, string } from "../../type/type.ts";
import type { Type } from "../../model/type.ts";
import { friendlyName, friendlyNameForConstraint } from "../../type/type-names.ts";
import { isNull } from "../../equality/value-ops.ts";
import type { Value } from "../../model/value.ts";
import { argumentError, FunctionError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { stringOf } from "./argument/native.ts";

/**
 * A function that converts its argument to a type, such as Terraform's `tostring` and `tolist`.
 *
 * @example
 * makeToFunc(number).call([of(string, "1.5")])
 * // => cty.NumberFloatVal(1.5)
 *
 * @see go-cty stdlib.MakeToFunc
 */
export function makeToFunc(want: Type): CtyFunction {
  return defineFunction({
    description: `Converts a value to ${friendlyName(want)}.`,
    params: [{ name: "v", type: dynamic, allowNull: true, allowDynamicType: true }],
    type: ([v]) => {
      if (v.type !== want && getConversionUnsafe(v.type, want) === undefined) throw noConversionError(v.type, want);
      return want;
    },
    impl: ([v], type) => {
      try {
        return convert(v, type);
      } catch (error) {
        if (error instanceof CtyError && error.code === "CONVERSION") throw conversionError(v, want, error);
        throw error;
      }
    },
  });
}

/** The error for a type that has no conversion to `want`. */
function noConversionError(got: Type, want: Type): CtyError {
  if (got.kind === want.kind && (got.kind === "tuple" || got.kind === "object")) {
    return argumentError(0, `incompatible ${got.kind} type for conversion: ${mismatchMessage(got, want)}`);
  }
  return argumentError(0, `cannot convert ${friendlyName(got)} to ${friendlyNameForConstraint(want)}`);
}

/** The error for a value that cannot be converted although its type has a conversion. */
function conversionError(value: Value, want: Type, cause: CtyError): CtyError {
  const what = value.type === string && !isNull(value) ? goQuote(stringOf(value)) : friendlyName(value.type);
  if (value.type === string && want === bool) {
    return argumentError(0, `cannot convert ${what} to bool; only the strings "true" or "false" are allowed`);
  }
  if (value.type === string && want === number) {
    return argumentError(0, `cannot convert ${what} to number; given string must be a decimal representation of a number`);
  }
  // As in go-cty, this error has no path inside the argument. Its cause has one.
  const message = `cannot convert ${friendlyName(value.type)} to ${friendlyNameForConstraint(want)}`;
  return new FunctionError("CONVERSION", message, { argument: 0, cause });
}

/**
 * Returns its argument, which must not be null.
 *
 * @example
 * assertNotNullFunc.call([of(string, "a")])
 * // => cty.StringVal("a")
 *
 * @see go-cty stdlib.AssertNotNullFunc
 */
export const assertNotNullFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns its argument, which must not be null.",
  params: [{ name: "v", type: dynamic }],
  type: ([v]) => v.type,
  refineResult: { notNull: true },
  impl: ([v]) => v,
});
