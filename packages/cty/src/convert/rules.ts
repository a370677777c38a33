// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error.ts";
import { isMarkedPayload } from "../payload.ts";
import type { Type } from "../type.ts";
import { valueOf, type Value } from "../value.ts";
import type { Trail } from "./trail.ts";

/** Makes a value of another type. What cannot be made is thrown as a {@link CtyError} with the path where the trail is. */
export type StepConversion = (value: Value, trail: Trail) => Value;

/** A conversion of a whole value. @throws CtyError `CONVERSION` with the path of what cannot be converted. */
export type Conversion = (value: Value) => Value;

/** The type that values of several types can be converted to. */
export interface Unification {
  readonly type: Type;
  /** For each of the types, in their order; undefined for those that need none. */
  readonly conversions: readonly (Conversion | undefined)[];
}

/** What the rules for single kinds of type need of the whole: they are given it, because the whole is made of them. */
export interface Rules {
  /** Unsafe conversions may fail for some values. */
  readonly unsafe: boolean;
  /** The rules that allow no unsafe conversion. */
  readonly safe: Rules;
  readonly find: (from: Type, to: Type) => StepConversion | undefined;
  readonly unify: (types: readonly Type[]) => Unification | undefined;
  readonly mismatch: (got: Type, want: Type) => string;
}

export function conversionError(message: string, trail: Trail): CtyError {
  return new CtyError("CONVERSION", message, trail.path());
}

/** go-cty makes nulls inside lists, sets and objects anew, and their marks get lost. */
export function remadeNull(value: Value): Value {
  return isMarkedPayload(value.payload) && value.payload.payload === null ? valueOf(value.type, null) : value;
}

/**
 * The conversion of each of several parts to one type: undefined in the list where none is needed, undefined instead of the
 * list if one cannot be converted.
 */
export function conversionsTo(rules: Rules, from: readonly Type[], to: Type): (StepConversion | undefined)[] | undefined {
  const conversions = from.map((type) => (type === to ? undefined : rules.find(type, to)));
  return conversions.every((conversion, index) => conversion !== undefined || from[index] === to) ? conversions : undefined;
}
