// SPDX-License-Identifier: Apache-2.0
import { and, not, or } from "../../operators/logic.ts";
import { bool } from "../../type/type.ts";
import { defineFunction, type CtyFunction } from "../function.ts";

/**
 * The negation of a bool.
 *
 * @example
 * notFunc.call([of(bool, true)])
 * // => cty.False
 *
 * @see go-cty stdlib.NotFunc
 */
export const notFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the negation of a bool.",
  params: [{ name: "val", type: bool, allowDynamicType: true, allowMarked: true }],
  type: bool,
  refineResult: { notNull: true },
  impl: ([val]) => not(val),
});

/**
 * Whether both bools are true. Unlike that of the operator {@link and}, the result is unknown if one argument is.
 *
 * @example
 * andFunc.call([of(bool, true), of(bool, false)])
 * // => cty.False
 *
 * @see go-cty stdlib.AndFunc
 */
export const andFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns whether both bools are true.",
  params: [
    { name: "a", type: bool, allowDynamicType: true, allowMarked: true },
    { name: "b", type: bool, allowDynamicType: true, allowMarked: true },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([a, b]) => and(a, b),
});

/**
 * Whether at least one of two bools is true. Unlike that of the operator {@link or}, the result is unknown if one argument is.
 *
 * @example
 * orFunc.call([of(bool, true), of(bool, false)])
 * // => cty.True
 *
 * @see go-cty stdlib.OrFunc
 */
export const orFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns whether at least one of two bools is true.",
  params: [
    { name: "a", type: bool, allowDynamicType: true, allowMarked: true },
    { name: "b", type: bool, allowDynamicType: true, allowMarked: true },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([a, b]) => or(a, b),
});
