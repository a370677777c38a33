// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  capsule,
  capsuleOf,
  CtyError,
  dynamic,
  friendlyName,
  friendlyNameForConstraint,
  isNull,
  number,
  string,
  unmarkDeep,
  type CapsuleType,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert, getConversionUnsafe, mismatchMessage } from "@tenon/cty/convert";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors } from "@tenon/hcl";
import { customDecoder, nativeOf, type CustomDecoder } from "@tenon/hcl/evaluate";
import { applyDefaults, readTypeConstraintWithDefaults, type ReadTypeWithDefaults } from "@tenon/hcl/type-expression";
import { containsMarkOf, EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";

/**
 * Creates a function that converts its argument to a type: `tostring`, `tonumber`, `tobool`, `tolist`, `toset`, `tomap`.
 *
 * Its errors do not show sensitive or ephemeral values.
 *
 * @see OpenTofu funcs.MakeToFunc
 */
export function conversionFunction(wanted: Type): CtyFunction {
  return defineFunction({
    description: `Converts a value to ${friendlyNameForConstraint(wanted)}.`,
    params: [{ name: "v", type: dynamic, allowNull: true, allowMarked: true, allowDynamicType: true }],
    type: ([{ type }]) => {
      if (type !== wanted && getConversionUnsafe(type, wanted) === undefined) throw argumentError(0, typeMismatch(type, wanted));
      return wanted;
    },
    impl: ([value], type) => {
      try {
        return convert(value, type);
      } catch (error) {
        if (error instanceof CtyError) throw argumentError(0, conversionFailure(value, wanted));
        throw error;
      }
    },
  });
}

function typeMismatch(given: Type, wanted: Type): string {
  if (given.kind === wanted.kind && (given.kind === "tuple" || given.kind === "object")) {
    return `incompatible ${given.kind} type for conversion: ${mismatchMessage(given, wanted)}`;
  }
  return `cannot convert ${friendlyName(given)} to ${friendlyNameForConstraint(wanted)}`;
}

function conversionFailure(given: Value, wanted: Type): string {
  const [value] = unmarkDeep(given);
  const names = `${friendlyName(value.type)} to ${friendlyNameForConstraint(wanted)}`;
  if (containsMarkOf(given, EPHEMERAL)) return `cannot convert this ephemeral ${names}`;
  if (containsMarkOf(given, SENSITIVE)) return `cannot convert this sensitive ${names}`;
  const shown = value.type === string && !isNull(value) ? goQuote(stringOf(value)) : "string";
  if (value.type === string && wanted === bool) return `cannot convert ${shown} to bool; only the strings "true" or "false" are allowed`;
  if (value.type === string && wanted === number) {
    return `cannot convert ${shown} to number; given string must be a decimal representation of a number`;
  }
  return `cannot convert ${names}`;
}

const decodeConversion: CustomDecoder = (expression) => {
  const constraint = readTypeConstraintWithDefaults(expression);
  const { diagnostics } = constraint;
  return hasErrors(diagnostics) ? { diagnostics } : { value: capsuleOf(conversionType, constraint), diagnostics };
};

/** Type of the second argument of `convert`, which is a type expression. */
const conversionType: CapsuleType<ReadTypeWithDefaults> = capsule<ReadTypeWithDefaults>("type", {
  extensionData: (key) => (key === customDecoder ? decodeConversion : undefined),
});

/**
 * The function `convert` of OpenTofu 1.13: converts a value to the type that a type expression describes, with defaults of optional
 * attributes, as a variable converts its value.
 *
 * @see OpenTofu 1.13 lang, makeConvertFunc
 */
export const convertFunction: CtyFunction = defineFunction({
  description: "Converts a value to a type.",
  params: [
    { name: "value", type: dynamic, allowDynamicType: true, allowNull: true, allowUnknown: true, allowMarked: true },
    { name: "type", type: conversionType },
  ],
  type: ([value, type]) => convertedTo(value, type).type,
  impl: ([value, type]) => convertedTo(value, type),
});

function convertedTo(value: Value, target: Value): Value {
  const { type, defaults } = nativeOf(target as Value<typeof conversionType>);
  try {
    return convert(applyDefaults(defaults, value), type);
  } catch (error) {
    if (error instanceof CtyError) throw argumentError(0, error);
    throw error;
  }
}
