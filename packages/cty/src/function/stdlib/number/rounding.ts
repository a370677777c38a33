// SPDX-License-Identifier: Apache-2.0
import { fromInteger, isInfinite, isInteger, truncated } from "../../../binary/binary.ts";
import { binaryOf, isInfiniteNumber, numberFromBigint, numberFromBinary, precisionOf } from "../../../number/number.ts";
import { number } from "../../../type/type.ts";
import { valueOf } from "../../../value/value.ts";
import { callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { numberOf } from "../argument/native.ts";

/**
 * A number without its fraction. Rejects infinity, for which go-cty's function panics.
 *
 * @example
 * intFunc.call([of(number, -1.5)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.IntFunc
 */
export const intFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Removes the fraction from a number.",
  params: [{ name: "num", type: number, allowDynamicType: true }],
  type: number,
  refineResult: { notNull: true },
  impl: ([num]) => {
    const binary = binaryOf(numberOf(num));
    if (isInfinite(binary)) throw callError("can't truncate infinity to an integer");
    return isInteger(binary) ? num : valueOf(number, numberFromBigint(truncated(binary)));
  },
});

/** A function that rounds up or down and keeps the number's precision. */
function rounding(description: string, direction: -1 | 1): CtyFunction {
  return defineFunction({
    description,
    params: [{ name: "num", type: number }],
    type: number,
    refineResult: { notNull: true },
    impl: ([num]) => {
      const payload = numberOf(num);
      if (isInfiniteNumber(payload)) return num;
      const binary = binaryOf(payload);
      // As in go-cty, -0 becomes 0.
      if (isInteger(binary))
        return binary.mantissa === 0n ? valueOf(number, numberFromBinary(fromInteger(0n, 1), precisionOf(payload))) : num;
      const towardsZero = truncated(binary);
      const away = binary.negative === direction < 0;
      const precision = precisionOf(payload);
      return valueOf(number, numberFromBinary(fromInteger(away ? towardsZero + BigInt(direction) : towardsZero, precision), precision));
    },
  });
}

/**
 * The smallest integer that is not smaller than a number.
 *
 * @example
 * ceilFunc.call([of(number, 1.2)])
 * // => cty.NumberIntVal(2)
 *
 * @see go-cty stdlib.CeilFunc
 */
export const ceilFunc: CtyFunction = /* @__PURE__ */ rounding("Rounds a number up.", 1);

/**
 * The largest integer that is not larger than a number.
 *
 * @example
 * floorFunc.call([of(number, -1.2)])
 * // => cty.NumberIntVal(-2)
 *
 * @see go-cty stdlib.FloorFunc
 */
export const floorFunc: CtyFunction = /* @__PURE__ */ rounding("Rounds a number down.", -1);
