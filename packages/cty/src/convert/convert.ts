// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import { withoutOptionalAttributes } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import type { Value } from "../model/value.ts";
import { rulesOf } from "./conversion.ts";
import type { Conversion, Unification } from "./rules.ts";
import { Trail } from "./trail.ts";

/**
 * Converts a value to another type. Where the type has {@link dynamic} parts, the result has the concrete type. Optional attributes
 * that the value does not have are null.
 *
 * @throws CtyError `CONVERSION` with the path of what cannot be converted.
 * @see go-cty convert.Convert
 *
 * @example
 * toJs(convert(of(list(string), ["1", "2"]), set(number)))
 * // => [1, 2]
 */
export function convert<T extends Type>(value: Value, type: T): Value<T> {
  if (value.type === withoutOptionalAttributes(type)) return value as Value<T>;
  const conversion = rulesOf(true).find(value.type, type);
  if (conversion === undefined) throw new CtyError("CONVERSION", mismatchMessage(value.type, type));
  return conversion(value, new Trail()) as Value<T>;
}

/** Returns the conversion from one type to another if it succeeds for every value; otherwise undefined. @see go-cty convert.GetConversion */
export function getConversion(from: Type, to: Type): Conversion | undefined {
  return conversion(from, to, false);
}

/** Returns the conversion from one type to another, which may fail for some values; undefined if there is none. @see go-cty convert.GetConversionUnsafe */
export function getConversionUnsafe(from: Type, to: Type): Conversion | undefined {
  return conversion(from, to, true);
}

function conversion(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  const found = rulesOf(unsafe).find(from, to);
  return found === undefined ? undefined : (value) => found(value, new Trail());
}

/** Returns a type that all values of the given types can be converted to; undefined if there is none. @see go-cty convert.Unify */
export function unify(types: readonly Type[]): Unification | undefined {
  return rulesOf(false).unify(types);
}

/** Like {@link unify}, but the conversions may fail for some values. @see go-cty convert.UnifyUnsafe */
export function unifyUnsafe(types: readonly Type[]): Unification | undefined {
  return rulesOf(true).unify(types);
}

/** Returns a message that says why values of one type cannot be converted to another. @see go-cty convert.MismatchMessage */
export function mismatchMessage(got: Type, want: Type): string {
  return rulesOf(true).mismatch(got, want);
}
