// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import { unmarkedPayload } from "../payload/payload.ts";
import { withoutOptionalAttributes } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import type { Trail } from "./trail.ts";

/** Converts a value. Throws a {@link CtyError} with the current path of the trail where that is impossible. */
export type StepConversion = (value: Value, trail: Trail) => Value;

/** A conversion of a whole value. @throws CtyError `CONVERSION` with the path of what cannot be converted. */
export type Conversion = (value: Value) => Value;

/** A type that values of several types can be converted to, and the conversions. */
export interface Unification {
  /** The common type. */
  readonly type: Type;
  /** The conversion from each type, in the order of the types; undefined where none is needed. */
  readonly conversions: readonly (Conversion | undefined)[];
}

/** The functions that the rules for single kinds of types call for the types inside. Passed as a parameter to avoid circular imports. */
export interface Rules {
  /** Whether conversions that may fail for some values are allowed. */
  readonly unsafe: boolean;
  /** The rules that allow only conversions that always succeed. */
  readonly safe: Rules;
  readonly find: (from: Type, to: Type) => StepConversion | undefined;
  readonly unify: (types: readonly Type[]) => Unification | undefined;
  readonly mismatch: (got: Type, want: Type) => string;
}

/** Returns the error of a conversion at the current path of the trail. */
export function conversionError(message: string, trail: Trail): CtyError {
  return new CtyError("CONVERSION", message, trail.path());
}

/**
 * Returns an element as a list, a set or an object takes it in. As in go-cty, a null loses its marks and the optional attributes of
 * its type.
 */
export function remadeNull(value: Value): Value {
  return unmarkedPayload(value.payload) === null ? valueOf(withoutOptionalAttributes(value.type), null) : value;
}

/**
 * Returns the conversions of several parts to one type, undefined where a part needs none. Returns undefined instead of the list if a
 * part cannot be converted.
 */
export function conversionsTo(rules: Rules, from: readonly Type[], to: Type): (StepConversion | undefined)[] | undefined {
  const conversions = from.map((type) => (type === to ? undefined : rules.find(type, to)));
  return conversions.every((conversion, index) => conversion !== undefined || from[index] === to) ? conversions : undefined;
}
