// SPDX-License-Identifier: Apache-2.0
import { convert, getConversionUnsafe, mismatchMessage } from "../../convert/convert.ts";
import { CtyError } from "../../error.ts";
import { goQuote } from "../../go-quote.ts";
import { bool, dynamic, number, string, type Type } from "../../type.ts";
import { friendlyName, friendlyNameForConstraint } from "../../type-names.ts";
import { isNull } from "../../value-ops.ts";
import type { Value } from "../../value.ts";
import { argumentError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { stringOf } from "./native.ts";

/**
 * A function that converts its argument to a type, as languages offer it to their users: `tostring`, `tolist`.
 *
 * @example
 * makeToFunc(number).call([of(string, "1.5")])
 * // => cty.NumberFloatVal(1.5)
 *
 * @see go-cty stdlib.MakeToFunc
 */
export function makeToFunc(want: Type): CtyFunction {
  return defineFunction({
    description: `Converts a value to ${friendlyName(want)}, where that is possible.`,
    params: [{ name: "v", type: dynamic, allowNull: true, allowDynamicType: true }],
    type: ([v]) => {
      if (v.type !== want && getConversionUnsafe(v.type, want) === undefined) throw impossible(v.type, want);
      return want;
    },
    impl: ([v], type) => {
      try {
        return convert(v, type);
      } catch (error) {
        if (error instanceof CtyError && error.code === "CONVERSION") throw failed(v, want, error);
        throw error;
      }
    },
  });
}

function impossible(got: Type, want: Type): CtyError {
  if (got.kind === want.kind && (got.kind === "tuple" || got.kind === "object")) {
    return argumentError(0, `incompatible ${got.kind} type for conversion: ${mismatchMessage(got, want)}`);
  }
  return argumentError(0, `cannot convert ${friendlyName(got)} to ${friendlyNameForConstraint(want)}`);
}

/** The types allow a conversion, this value does not. */
function failed(value: Value, want: Type, cause: CtyError): CtyError {
  const what = value.type === string && !isNull(value) ? goQuote(stringOf(value)) : friendlyName(value.type);
  if (value.type === string && want === bool) {
    return argumentError(0, `cannot convert ${what} to bool; only the strings "true" or "false" are allowed`);
  }
  if (value.type === string && want === number) {
    return argumentError(0, `cannot convert ${what} to number; given string must be a decimal representation of a number`);
  }
  const message = `cannot convert ${friendlyName(value.type)} to ${friendlyNameForConstraint(want)}`;
  return argumentError(0, new CtyError("CONVERSION", message, cause.path, { cause }));
}

/**
 * The argument, which must not be null.
 *
 * @example
 * assertNotNullFunc.call([of(string, "a")])
 * // => cty.StringVal("a")
 *
 * @see go-cty stdlib.AssertNotNullFunc
 */
export const assertNotNullFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives its argument, and refuses null.",
  params: [{ name: "v", type: dynamic }],
  type: ([v]) => v.type,
  refineResult: { notNull: true },
  impl: ([v]) => v,
});
