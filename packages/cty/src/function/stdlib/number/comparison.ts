// SPDX-License-Identifier: Apache-2.0
import { greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual } from "../../../operators/logic.ts";
import { compareNumbers, negativeInfinity, positiveInfinity } from "../../../number/number.ts";
import type { NumberPayload } from "../../../payload/number-payload.ts";
import { bool, number } from "../../../type/type.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";
import { callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { numberOf } from "../argument/native.ts";

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
 * Whether the first number is larger than the second. The result is known for unknown numbers whose ranges do not overlap.
 *
 * @example
 * greaterThanFunc.call([of(number, 2), of(number, 1)])
 * // => cty.True
 *
 * @see go-cty stdlib.GreaterThanFunc
 */
export const greaterThanFunc: CtyFunction = /* @__PURE__ */ comparison(
  "Returns whether the first number is larger than the second.",
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
  "Returns whether the first number is larger than the second or equal to it.",
  greaterThanOrEqual,
);

/**
 * Whether the first number is smaller than the second. The result is known for unknown numbers whose ranges do not overlap.
 *
 * @example
 * lessThanFunc.call([of(number, 2), of(number, 1)])
 * // => cty.False
 *
 * @see go-cty stdlib.LessThanFunc
 */
export const lessThanFunc: CtyFunction = /* @__PURE__ */ comparison(
  "Returns whether the first number is smaller than the second.",
  lessThan,
);

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
  "Returns whether the first number is smaller than the second or equal to it.",
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
 * The smallest argument.
 *
 * @example
 * minFunc.call([of(number, 3), of(number, 1), of(number, 2)])
 * // => cty.NumberIntVal(1)
 *
 * @see go-cty stdlib.MinFunc
 */
export const minFunc: CtyFunction = /* @__PURE__ */ extreme("Returns the smallest argument.", positiveInfinity, -1);

/**
 * The largest argument.
 *
 * @example
 * maxFunc.call([of(number, 3), of(number, 1), of(number, 2)])
 * // => cty.NumberIntVal(3)
 *
 * @see go-cty stdlib.MaxFunc
 */
export const maxFunc: CtyFunction = /* @__PURE__ */ extreme("Returns the largest argument.", negativeInfinity, 1);
