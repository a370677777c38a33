// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../../../error/error.ts";
import { goQuote } from "../../../text/go-quote.ts";
import { numberFromBigint } from "../../../number/number.ts";
import { dynamic, number, string } from "../../../type/type.ts";
import { friendlyName } from "../../../type/type-names.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";
import { argumentError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { integerOf, stringOf } from "../argument/native.ts";
import { parseInteger } from "./parse-integer.ts";

/**
 * Parses an integer in a base from 2 to 62.
 *
 * @example
 * parseIntFunc.call([of(string, "ff"), of(number, 16)])
 * // => cty.NumberIntVal(255)
 *
 * @see go-cty stdlib.ParseIntFunc
 */
export const parseIntFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Parses an integer in a base.",
  params: [
    { name: "number", type: dynamic },
    { name: "base", type: number },
  ],
  type: ([text]) => {
    if (text.type !== string) throw argumentError(0, `first argument must be a string, not ${friendlyName(text.type)}`);
    return number;
  },
  refineResult: { notNull: true },
  impl: ([text, baseValue]) => {
    const base = baseOf(baseValue);
    const digits = stringOf(text);
    if (base < 2n || base > 62n) throw argumentError(1, "base must be a whole number between 2 and 62 inclusive");
    const integer = parseInteger(digits, Number(base));
    if (integer === undefined) throw argumentError(0, `cannot parse ${goQuote(digits)} as a base ${base} integer`);
    return valueOf(number, numberFromBigint(integer));
  },
});

function baseOf(value: Value): bigint {
  try {
    return integerOf(value);
  } catch (error) {
    throw error instanceof CtyError ? argumentError(1, error) : error;
  }
}
