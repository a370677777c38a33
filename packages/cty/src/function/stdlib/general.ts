// SPDX-License-Identifier: Apache-2.0
import { convert, unifyUnsafe } from "../../convert/convert.ts";
import { not } from "../../operators/logic.ts";
import { bool, dynamic } from "../../type/type.ts";
import { unknown } from "../../construction/value-init.ts";
import { equals, isKnown, isNull } from "../../equality/value-ops.ts";
import type { Parameter } from "../argument.ts";
import { callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";

const anything = { type: dynamic, allowUnknown: true, allowDynamicType: true, allowNull: true } satisfies Omit<Parameter, "name">;

/**
 * Whether two values of any types are equal. The result is unknown if it depends on unknown values.
 *
 * @example
 * equalFunc.call([of(string, "a"), nullOf(string)])
 * // => cty.False
 *
 * @see go-cty stdlib.EqualFunc
 */
export const equalFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns whether two values are equal.",
  params: [
    { name: "a", ...anything },
    { name: "b", ...anything },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([a, b]) => equals(a, b),
});

/**
 * Whether two values of any types differ. The result is unknown if it depends on unknown values.
 *
 * @example
 * notEqualFunc.call([of(string, "a"), of(string, "b")])
 * // => cty.True
 *
 * @see go-cty stdlib.NotEqualFunc
 */
export const notEqualFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns whether two values differ.",
  params: [
    { name: "a", ...anything },
    { name: "b", ...anything },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([a, b]) => not(equals(a, b)),
});

/**
 * The first argument that is not null, converted to the common type of all arguments. The result is unknown if an argument before it
 * is unknown.
 *
 * @example
 * coalesceFunc.call([nullOf(string), of(string, "a"), of(number, 1)])
 * // => cty.StringVal("a")
 *
 * @see go-cty stdlib.CoalesceFunc
 */
export const coalesceFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the first argument that is not null.",
  varParam: { name: "vals", ...anything },
  type: (args) => {
    const unified = unifyUnsafe(args.map((value) => value.type));
    if (unified === undefined) throw callError("all arguments must have the same type");
    return unified.type;
  },
  refineResult: { notNull: true },
  impl: (args, type) => {
    for (const value of args) {
      if (!isKnown(value)) return unknown(type);
      if (!isNull(value)) return convert(value, type);
    }
    throw callError("no non-null arguments");
  },
});
