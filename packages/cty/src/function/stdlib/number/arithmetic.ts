// SPDX-License-Identifier: Apache-2.0
import { absolute, add, divide, modulo, multiply, negate, subtract } from "../../../operators/arithmetic.ts";
import { CtyError } from "../../../error/error.ts";
import { number } from "../../../type/type.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";
import { callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { integerOf } from "../argument/native.ts";

/**
 * The absolute value of a number.
 *
 * @example
 * absoluteFunc.call([of(number, -1.5)])
 * // => cty.NumberFloatVal(1.5)
 *
 * @see go-cty stdlib.AbsoluteFunc
 */
export const absoluteFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the absolute value of a number.",
  params: [{ name: "num", type: number, allowDynamicType: true, allowMarked: true }],
  type: number,
  refineResult: { notNull: true },
  impl: ([num]) => absolute(num),
});

/**
 * The negation of a number.
 *
 * @example
 * negateFunc.call([of(number, 1)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.NegateFunc
 */
export const negateFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the negation of a number.",
  params: [{ name: "num", type: number, allowDynamicType: true, allowMarked: true }],
  type: number,
  refineResult: { notNull: true },
  impl: ([num]) => negate(num),
});

function arithmetic(description: string, operation: (a: Value, b: Value) => Value, noResult: string): CtyFunction {
  return defineFunction({
    description,
    params: [
      { name: "a", type: number, allowDynamicType: true },
      { name: "b", type: number, allowDynamicType: true },
    ],
    type: number,
    refineResult: { notNull: true },
    impl: ([a, b]) => {
      try {
        return operation(a, b);
      } catch (error) {
        throw error instanceof CtyError && error.code === "NOT_A_NUMBER" ? callError(noResult) : error;
      }
    },
  });
}

/**
 * The sum of two numbers.
 *
 * @example
 * addFunc.call([of(number, 1), of(number, 2)])
 * // => cty.NumberIntVal(3)
 *
 * @see go-cty stdlib.AddFunc
 */
export const addFunc: CtyFunction = /* @__PURE__ */ arithmetic("Adds two numbers.", add, "can't compute sum of opposing infinities");

/**
 * The difference of two numbers.
 *
 * @example
 * subtractFunc.call([of(number, 1), of(number, 2)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.SubtractFunc
 */
export const subtractFunc: CtyFunction = /* @__PURE__ */ arithmetic(
  "Subtracts the second number from the first.",
  subtract,
  "can't subtract infinity from itself",
);

/**
 * The product of two numbers.
 *
 * @example
 * multiplyFunc.call([of(number, 2), of(number, 3)])
 * // => cty.NumberIntVal(6)
 *
 * @see go-cty stdlib.MultiplyFunc
 */
export const multiplyFunc: CtyFunction = /* @__PURE__ */ arithmetic("Multiplies two numbers.", multiply, "can't multiply zero by infinity");

/**
 * The quotient of two numbers.
 *
 * @example
 * divideFunc.call([of(number, 1), of(number, 4)])
 * // => cty.NumberFloatVal(0.25)
 *
 * @see go-cty stdlib.DivideFunc
 */
export const divideFunc: CtyFunction = /* @__PURE__ */ arithmetic(
  "Divides the first number by the second.",
  divide,
  "can't divide zero by zero or infinity by infinity",
);

/**
 * The remainder of a division that truncates towards zero.
 *
 * @example
 * moduloFunc.call([of(number, -7), of(number, 3)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.ModuloFunc
 */
export const moduloFunc: CtyFunction = /* @__PURE__ */ arithmetic(
  "Returns the remainder of dividing the first number by the second.",
  modulo,
  "can't use modulo with zero and infinity",
);

/**
 * The sign of an integer: -1, 0 or 1. Rejects fractions.
 *
 * @example
 * signumFunc.call([of(number, -12)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.SignumFunc
 */
export const signumFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the sign of an integer: -1, 0 or 1.",
  params: [{ name: "num", type: number }],
  type: number,
  refineResult: { notNull: true },
  impl: ([num]) => {
    const integer = integerOf(num);
    return valueOf(number, integer < 0n ? -1 : integer > 0n ? 1 : 0);
  },
});
