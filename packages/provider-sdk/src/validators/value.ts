// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { validator } from "./validator.ts";

/** What can be compared with `===`. */
export type Comparable = string | number | bigint | boolean;

const text = (value: Comparable): string => (typeof value === "string" ? JSON.stringify(value) : String(value));

/** One of these values. */
export function oneOf<const T extends Comparable>(values: readonly T[]): Validator<Widened<T>> {
  const known = new Set<Comparable>(values);
  return validator(`must be one of ${values.map(text).join(", ")}`, (value: Widened<T>) => known.has(value));
}

/** Anything but these values. */
export function noneOf<const T extends Comparable>(values: readonly T[]): Validator<Widened<T>> {
  const known = new Set<Comparable>(values);
  return validator(`must be none of ${values.map(text).join(", ")}`, (value: Widened<T>) => !known.has(value));
}

/** The type that a literal belongs to: an attribute of strings is checked with an `oneOf` of a few of them. */
export type Widened<T extends Comparable> = T extends string ? string : T extends number ? number : T extends bigint ? bigint : boolean;
