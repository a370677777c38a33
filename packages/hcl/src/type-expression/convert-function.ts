// SPDX-License-Identifier: Apache-2.0
import { capsule, capsuleOf, CtyError, dynamic, type CapsuleType, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { customDecoder, nativeOf, type CustomDecoder } from "../evaluate/custom-decoding.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import { readTypeConstraint } from "./type-expression.ts";

const decodeType: CustomDecoder = (expression) => {
  const { type, diagnostics } = readTypeConstraint(expression);
  return hasErrors(diagnostics) ? { diagnostics } : { value: capsuleOf(typeConstraintType, type), diagnostics };
};

/** Type of values that are types: an argument or attribute of this type is a type expression. @see typeexpr.TypeConstraintType */
export const typeConstraintType: CapsuleType<Type> = capsule<Type>("type constraint", {
  extensionData: (key) => (key === customDecoder ? decodeType : undefined),
  rawEquals: (a, b) => a === b,
});

function convertTo(value: Value, type: Type): Value {
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) throw argumentError(0, error);
    throw error;
  }
}

/** `convert(value, type)`: converts a value to the type that a type expression describes. @see typeexpr.ConvertFunc */
export const convertFunction: CtyFunction = defineFunction({
  description: "A value converted to a type.",
  params: [
    { name: "value", type: dynamic, allowNull: true, allowDynamicType: true },
    { name: "type", type: typeConstraintType },
  ],
  type: ([value, type]) => convertTo(value, nativeOf(type as Value<typeof typeConstraintType>)).type,
  impl: ([value], type) => convertTo(value, type),
});
