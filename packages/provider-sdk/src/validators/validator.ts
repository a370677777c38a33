// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";

/** Defines a validator. `description` ("must be …") is its error text, and `test` returns whether the value is valid. */
export function validator<T>(description: string, test: (value: T) => boolean): Validator<T> {
  return Object.assign((value: T) => (test(value) ? undefined : description), { description });
}

/** Formats a range: `1 to 80 characters`, `at least 1 character`, `at most 80 characters`. */
export function rangeText({ min, max }: { readonly min?: number; readonly max?: number }, unit: string): string {
  const counted = (count: number): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
  if (min !== undefined && max !== undefined) return min === max ? `exactly ${counted(min)}` : `${min} to ${counted(max)}`;
  if (max !== undefined) return `at most ${counted(max)}`;
  return min === undefined ? `any number of ${unit}s` : `at least ${counted(min)}`;
}
