// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { validator } from "./validator.ts";

/** A value that can be compared with `===`. */
export type Comparable = string | number | bigint | boolean;

const text = (value: Comparable): string => (typeof value === "string" ? JSON.stringify(value) : String(value));

/** Requires one of the values. */
export function oneOf<const T extends Comparable>(values: readonly T[]): Validator<Widened<T>> {
  const known = new Set<Comparable>(values);
  return validator(`must be one of ${values.map(text).join(", ")}`, (value: Widened<T>) => known.has(value));
}

/** Rejects the values. */
export function noneOf<const T extends Comparable>(values: readonly T[]): Validator<Widened<T>> {
  const known = new Set<Comparable>(values);
  return validator(`must be none of ${values.map(text).join(", ")}`, (value: Widened<T>) => !known.has(value));
}

/** The primitive type of a literal type, so that an `oneOf` of string literals is a validator of strings. */
export type Widened<T extends Comparable> = T extends string ? string : T extends number ? number : T extends bigint ? bigint : boolean;
