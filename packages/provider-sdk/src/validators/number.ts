// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { validator } from "./validator.ts";

/** The type of a bound without its literal: `bigint` for `attr.bigint`, otherwise `number`. */
type Same<T extends number | bigint> = T extends number ? number : bigint;

/** Requires a number from `min` to `max`, both inclusive. */
export function between<T extends number | bigint>(min: T, max: T): Validator<Same<T>> {
  return validator(`must be between ${min} and ${max}`, (value: Same<T>) => value >= min && value <= max);
}

/** Requires a number of at least `min`. */
export function atLeast<T extends number | bigint>(min: T): Validator<Same<T>> {
  return validator(`must be at least ${min}`, (value: Same<T>) => value >= min);
}

/** Requires a number of at most `max`. */
export function atMost<T extends number | bigint>(max: T): Validator<Same<T>> {
  return validator(`must be at most ${max}`, (value: Same<T>) => value <= max);
}

/** Requires an integer. */
export function wholeNumber(): Validator<number> {
  return validator("must be a whole number", (value: number) => Number.isInteger(value));
}
