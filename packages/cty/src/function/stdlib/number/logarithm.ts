// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../../../error/error.ts";
import { numberFromDouble } from "../../../number/number.ts";
import { number } from "../../../type/type.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { log, pow } from "./float64.ts";
import { doubleOf } from "../argument/native.ts";

/** A double as a number. @throws CtyError `NOT_A_NUMBER` for NaN, where go-cty panics. */
function doubleValue(double: number): Value {
  const payload = numberFromDouble(double);
  if (payload === undefined) throw new CtyError("NOT_A_NUMBER", "the result is not a number");
  return valueOf(number, payload);
}

/**
 * The logarithm of a number to a base, with the precision of a double.
 *
 * @example
 * logFunc.call([of(number, 8), of(number, 2)])
 * // => cty.NumberIntVal(3)
 *
 * @see go-cty stdlib.LogFunc
 */
export const logFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the logarithm of a number to a base.",
  params: [
    { name: "num", type: number },
    { name: "base", type: number },
  ],
  type: number,
  refineResult: { notNull: true },
  impl: ([num, base]) => doubleValue(log(doubleOf(num)) / log(doubleOf(base))),
});

/**
 * A number raised to a power, with the precision of a double.
 *
 * @example
 * powFunc.call([of(number, 2), of(number, 10)])
 * // => cty.NumberIntVal(1024)
 *
 * @see go-cty stdlib.PowFunc
 */
export const powFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Raises a number to a power.",
  params: [
    { name: "num", type: number },
    { name: "power", type: number },
  ],
  type: number,
  refineResult: { notNull: true },
  impl: ([num, power]) => doubleValue(pow(doubleOf(num), doubleOf(power))),
});
