// SPDX-License-Identifier: Apache-2.0
import { capsule, capsuleOf, dynamic, mark, unmarkDeep, type CapsuleType, type Type, type Value } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { nativeOf } from "@tenon/hcl/evaluate";
import { containsMarkOf } from "../marks/value-marks.ts";

const typeType: CapsuleType<Type> = capsule<Type>("type");
/** The mark of results of the function `type`, by which a console finds them anywhere in a value. */
const TYPE_RESULT: symbol = Symbol("type");

/**
 * The function `type`, which only a console has: it returns the type of its argument.
 *
 * @see OpenTofu lang/funcs/conversion.go, TypeFunc
 */
export const typeFunction: CtyFunction = defineFunction({
  description: "Returns the type of a value.",
  params: [{ name: "value", type: dynamic, allowUnknown: true, allowNull: true, allowDynamicType: true }],
  type: typeType,
  impl: ([{ type }]) => mark(capsuleOf(typeType, type), TYPE_RESULT),
});

/** Whether a value is or contains a result of the function `type`. */
export function containsTypeResult(value: Value): boolean {
  return containsMarkOf(value, TYPE_RESULT);
}

/** The type in a result of the function `type`; undefined for a value that only contains such a result. */
export function typeOfResult(value: Value): Type | undefined {
  const [plain] = unmarkDeep(value);
  return plain.type === typeType ? nativeOf(plain as Value<CapsuleType<Type>>) : undefined;
}
