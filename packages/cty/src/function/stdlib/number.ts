// SPDX-License-Identifier: Apache-2.0
// A family: all of go-cty's functions of numbers.
import { absolute, add, divide, modulo, multiply, negate, subtract } from "../../operators/arithmetic.ts";
import { CtyError } from "../../error.ts";
import { goQuote } from "../../go-quote.ts";
import { greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual } from "../../operators/logic.ts";
import { fromInteger, isInfinite, isInteger, truncated } from "../../number/binary.ts";
import {
  binaryOf,
  compareNumbers,
  isInfiniteNumber,
  negativeInfinity,
  numberFromBigint,
  numberFromBinary,
  numberFromDouble,
  positiveInfinity,
  precisionOf,
  type NumberPayload,
} from "../../number/number.ts";
import { bool, dynamic, number, string } from "../../type.ts";
import { friendlyName } from "../../type-names.ts";
import { valueOf, type Value } from "../../value.ts";
import { argumentError, callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { log, pow } from "./float64.ts";
import { doubleOf, integerOf, numberOf, stringOf } from "./native.ts";
import { parseInteger } from "./parse-integer.ts";

/**
 * A number without its sign.
 *
 * @example
 * absoluteFunc.call([of(number, -1.5)])
 * // => cty.NumberFloatVal(1.5)
 *
 * @see go-cty stdlib.AbsoluteFunc
 */
export const absoluteFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives a number without its sign.",
  params: [{ name: "num", type: number, allowDynamicType: true, allowMarked: true }],
  type: number,
  refineResult: { notNull: true },
  impl: ([num]) => absolute(num),
});

/**
 * A number with the other sign.
 *
 * @example
 * negateFunc.call([of(number, 1)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.NegateFunc
 */
export const negateFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives a number with the other sign.",
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
 * The remainder of a division towards zero.
 *
 * @example
 * moduloFunc.call([of(number, -7), of(number, 3)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.ModuloFunc
 */
export const moduloFunc: CtyFunction = /* @__PURE__ */ arithmetic(
  "Gives the remainder of dividing the first number by the second.",
  modulo,
  "can't use modulo with zero and infinity",
);

function comparison(description: string, compare: (a: Value, b: Value) => Value): CtyFunction {
  return defineFunction({
    description,
    params: [
      { name: "a", type: number, allowUnknown: true, allowDynamicType: true, allowMarked: true },
      { name: "b", type: number, allowUnknown: true, allowDynamicType: true, allowMarked: true },
    ],
    type: bool,
    refineResult: { notNull: true },
    impl: ([a, b]) => compare(a, b),
  });
}

/**
 * Whether the first number is larger than the second. Known for unknown numbers whose ranges do not overlap.
 *
 * @example
 * greaterThanFunc.call([of(number, 2), of(number, 1)])
 * // => cty.True
 *
 * @see go-cty stdlib.GreaterThanFunc
 */
export const greaterThanFunc: CtyFunction = /* @__PURE__ */ comparison(
  "Tells whether the first number is larger than the second.",
  greaterThan,
);

/**
 * Whether the first number is larger than the second or equal to it.
 *
 * @example
 * greaterThanOrEqualToFunc.call([of(number, 1), of(number, 1)])
 * // => cty.True
 *
 * @see go-cty stdlib.GreaterThanOrEqualToFunc
 */
export const greaterThanOrEqualToFunc: CtyFunction = /* @__PURE__ */ comparison(
  "Tells whether the first number is larger than the second or equal to it.",
  greaterThanOrEqual,
);

/**
 * Whether the first number is smaller than the second. Known for unknown numbers whose ranges do not overlap.
 *
 * @example
 * lessThanFunc.call([of(number, 2), of(number, 1)])
 * // => cty.False
 *
 * @see go-cty stdlib.LessThanFunc
 */
export const lessThanFunc: CtyFunction = /* @__PURE__ */ comparison("Tells whether the first number is smaller than the second.", lessThan);

/**
 * Whether the first number is smaller than the second or equal to it.
 *
 * @example
 * lessThanOrEqualToFunc.call([of(number, 2), of(number, 1)])
 * // => cty.False
 *
 * @see go-cty stdlib.LessThanOrEqualToFunc
 */
export const lessThanOrEqualToFunc: CtyFunction = /* @__PURE__ */ comparison(
  "Tells whether the first number is smaller than the second or equal to it.",
  lessThanOrEqual,
);

function extreme(description: string, start: NumberPayload, direction: -1 | 1): CtyFunction {
  return defineFunction({
    description,
    varParam: { name: "numbers", type: number, allowDynamicType: true },
    type: number,
    refineResult: { notNull: true },
    impl: (args) => {
      if (args.length === 0) throw callError("must pass at least one number");
      let best = start;
      for (const value of args) {
        const candidate = numberOf(value);
        if (direction * compareNumbers(candidate, best) > 0) best = candidate;
      }
      return valueOf(number, best);
    },
  });
}

/**
 * The smallest of some numbers.
 *
 * @example
 * minFunc.call([of(number, 3), of(number, 1), of(number, 2)])
 * // => cty.NumberIntVal(1)
 *
 * @see go-cty stdlib.MinFunc
 */
export const minFunc: CtyFunction = /* @__PURE__ */ extreme("Gives the smallest of all numbers.", positiveInfinity, -1);

/**
 * The largest of some numbers.
 *
 * @example
 * maxFunc.call([of(number, 3), of(number, 1), of(number, 2)])
 * // => cty.NumberIntVal(3)
 *
 * @see go-cty stdlib.MaxFunc
 */
export const maxFunc: CtyFunction = /* @__PURE__ */ extreme("Gives the largest of all numbers.", negativeInfinity, 1);

/**
 * A number without its fraction. Refuses infinity, where go-cty's function panics.
 *
 * @example
 * intFunc.call([of(number, -1.5)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.IntFunc
 */
export const intFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Cuts the fraction off a number.",
  params: [{ name: "num", type: number, allowDynamicType: true }],
  type: number,
  refineResult: { notNull: true },
  impl: ([num]) => {
    const binary = binaryOf(numberOf(num));
    if (isInfinite(binary)) throw callError("can't truncate infinity to an integer");
    return isInteger(binary) ? num : valueOf(number, numberFromBigint(truncated(binary)));
  },
});

/** Rounds up or down, keeping the number's precision. */
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
      // Nothing is left of the sign of -0.
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

/** A double as a number; there is none for NaN, where go-cty panics. */
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
  description: "Gives the logarithm of a number to a base.",
  params: [
    { name: "num", type: number },
    { name: "base", type: number },
  ],
  type: number,
  refineResult: { notNull: true },
  impl: ([num, base]) => doubleValue(log(doubleOf(num)) / log(doubleOf(base))),
});

/**
 * A number to a power, with the precision of a double.
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

/**
 * -1, 0 or 1, as an integer is negative, zero or positive. Refuses fractions.
 *
 * @example
 * signumFunc.call([of(number, -12)])
 * // => cty.NumberIntVal(-1)
 *
 * @see go-cty stdlib.SignumFunc
 */
export const signumFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Tells the sign of an integer: -1, 0 or 1.",
  params: [{ name: "num", type: number }],
  type: number,
  refineResult: { notNull: true },
  impl: ([num]) => {
    const integer = integerOf(num);
    return valueOf(number, integer < 0n ? -1 : integer > 0n ? 1 : 0);
  },
});

/**
 * The integer that a text is in a base from 2 to 62.
 *
 * @example
 * parseIntFunc.call([of(string, "ff"), of(number, 16)])
 * // => cty.NumberIntVal(255)
 *
 * @see go-cty stdlib.ParseIntFunc
 */
export const parseIntFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Reads an integer of a base.",
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
