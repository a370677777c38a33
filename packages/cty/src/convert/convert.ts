// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error.ts";
import { withoutOptionalAttributes, type Type } from "../type.ts";
import type { Value } from "../value.ts";
import { rulesOf } from "./conversion.ts";
import type { Conversion, Unification } from "./rules.ts";
import { Trail } from "./trail.ts";

/**
 * The value as one of another type. Where the type has {@link dynamic} parts, the result's type is the concrete one;
 * attributes that the type has as optional and the value lacks are null.
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

/** How to convert values of one type to another so that it always succeeds; undefined if that cannot be. @see go-cty convert.GetConversion */
export function getConversion(from: Type, to: Type): Conversion | undefined {
  return conversion(from, to, false);
}

/** How to convert values of one type to another, which may fail for some values. @see go-cty convert.GetConversionUnsafe */
export function getConversionUnsafe(from: Type, to: Type): Conversion | undefined {
  return conversion(from, to, true);
}

function conversion(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  const found = rulesOf(unsafe).find(from, to);
  return found === undefined ? undefined : (value) => found(value, new Trail());
}

/** One type that values of all the given types can always be converted to; undefined if there is none. @see go-cty convert.Unify */
export function unify(types: readonly Type[]): Unification | undefined {
  return rulesOf(false).unify(types);
}

/** {@link unify}, where conversions may fail for some values. @see go-cty convert.UnifyUnsafe */
export function unifyUnsafe(types: readonly Type[]): Unification | undefined {
  return rulesOf(true).unify(types);
}

/** Why values of one type cannot be converted to another, for people. @see go-cty convert.MismatchMessage */
export function mismatchMessage(got: Type, want: Type): string {
  return rulesOf(true).mismatch(got, want);
}
