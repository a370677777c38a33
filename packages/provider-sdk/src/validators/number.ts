// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { validator } from "./validator.ts";

/** The type of a bound, with bigints for `attr.bigint`. */
type Same<T extends number | bigint> = T extends number ? number : bigint;

/** A number from `min` to `max`, both included. */
export function between<T extends number | bigint>(min: T, max: T): Validator<Same<T>> {
  return validator(`must be between ${min} and ${max}`, (value: Same<T>) => value >= min && value <= max);
}

/** `min` or more. */
export function atLeast<T extends number | bigint>(min: T): Validator<Same<T>> {
  return validator(`must be at least ${min}`, (value: Same<T>) => value >= min);
}

/** `max` or less. */
export function atMost<T extends number | bigint>(max: T): Validator<Same<T>> {
  return validator(`must be at most ${max}`, (value: Same<T>) => value <= max);
}

/** A number without a fraction. */
export function wholeNumber(): Validator<number> {
  return validator("must be a whole number", (value: number) => Number.isInteger(value));
}
