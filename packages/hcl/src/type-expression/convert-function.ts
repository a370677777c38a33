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

/** Values of this type are types: an argument or attribute of it is a type expression. @see typeexpr.TypeConstraintType */
export const typeConstraintType: CapsuleType<Type> = capsule<Type>("type constraint", {
  extensionData: (key) => (key === customDecoder ? decodeType : undefined),
  rawEquals: (a, b) => a === b,
});

function converted(value: Value, type: Type): Value {
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) throw argumentError(0, error);
    throw error;
  }
}

/** `convert(value, type)`: a value as one of the type that an expression stands for. @see typeexpr.ConvertFunc */
export const convertFunction: CtyFunction = defineFunction({
  description: "A value converted to a type.",
  params: [
    { name: "value", type: dynamic, allowNull: true, allowDynamicType: true },
    { name: "type", type: typeConstraintType },
  ],
  type: ([value, type]) => converted(value, nativeOf(type as Value<typeof typeConstraintType>)).type,
  impl: ([value], type) => converted(value, type),
});
