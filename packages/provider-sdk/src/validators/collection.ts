// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { rangeText, validator } from "./validator.ts";
import { findingsIn, verdictOf, whenAll } from "./verdict.ts";

/** Lists and sets, which are arrays, and maps, which are records. */
export type Collection = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A list, set or map with this many elements. */
export function size(range: { readonly min?: number; readonly max?: number }): Validator<Collection> {
  const { min = 0, max = Infinity } = range;
  return validator(`must have ${rangeText(range, "element")}`, (value: Collection) => {
    const count = Array.isArray(value) ? value.length : Object.keys(value).length;
    return count >= min && count <= max;
  });
}

/** A list in which nothing stands twice; lists, maps and objects are the same when all in them is. */
export function uniqueElements(): Validator<readonly unknown[]> {
  return validator(
    "must not have an element twice",
    (value: readonly unknown[]) =>
      new Set(value.map((element) => (isPrimitive(element) ? element : textOf(element)))).size === value.length,
  );
}

const isPrimitive = (value: unknown): boolean => typeof value !== "object" || value === null;

/** The same for the same: members stand in the order of the schema. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? { bigint: String(part) } : part));
}

/** A list or set whose elements all pass. */
export function eachElement<T>(...validators: readonly Validator<T>[]): Validator<readonly T[]> {
  return each("each element", validators, (elements: readonly T[]) =>
    elements.map((element, index) => [`element ${index}`, element] as const),
  );
}

/** A map whose keys all pass. */
export function eachKey(...validators: readonly Validator<string>[]): Validator<Readonly<Record<string, unknown>>> {
  return each("each key", validators, (record: Readonly<Record<string, unknown>>) =>
    Object.keys(record).map((key) => [`key ${JSON.stringify(key)}`, key] as const),
  );
}

/** A map whose values all pass. */
export function eachValue<T>(...validators: readonly Validator<T>[]): Validator<Readonly<Record<string, T>>> {
  return each("each value", validators, (record: Readonly<Record<string, T>>) =>
    Object.entries(record).map(([key, value]) => [`the value of ${JSON.stringify(key)}`, value] as const),
  );
}

/** The first error of all parts, and all their warnings; null passes. */
function each<T, P>(
  subject: string,
  validators: readonly Validator<P>[],
  partsOf: (whole: T) => readonly (readonly [string, P])[],
): Validator<T> {
  const check = (whole: T): ReturnType<Validator<T>> => {
    const parts = partsOf(whole).filter(([, part]) => part !== null);
    const asked = parts.flatMap(([name, part]) => validators.map((one) => [name, one(part)] as const));
    return whenAll(
      asked.map(([, verdict]) => verdict),
      (verdicts) => {
        const found = verdicts.map((verdict, index) => ({ name: asked[index]![0], ...findingsIn(verdict) }));
        const errors = found.flatMap(({ name, errors: wrong }) => wrong.map((one) => `${name} ${one}`));
        const warnings = found.flatMap(({ name, warnings: told }) => told.map(({ warning }) => ({ warning: `${name} ${warning}` })));
        return verdictOf([...errors.slice(0, 1), ...warnings]);
      },
    );
  };
  return Object.assign(check, { description: `${subject} ${validators.map((one) => one.description ?? "must be valid").join(" and ")}` });
}

/** A list, set or map without null, where its elements are nullable. */
export function noNullElements(): Validator<Collection> {
  return validator("must not have null in it", (value: Collection) => !Object.values(value).includes(null));
}
