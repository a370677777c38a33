// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { rangeText, validator } from "./validator.ts";
import { findingsIn, verdictOf, whenAll } from "./findings.ts";

/** A list or set (an array), or a map (a record). */
export type Collection = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Requires the number of elements of a list, set or map to be in the range. */
export function size(range: { readonly min?: number; readonly max?: number }): Validator<Collection> {
  const { min = 0, max = Infinity } = range;
  return validator(`must have ${rangeText(range, "element")}`, (value: Collection) => {
    const count = Array.isArray(value) ? value.length : Object.keys(value).length;
    return count >= min && count <= max;
  });
}

/** Rejects lists with duplicate elements. Lists, maps and objects are equal if their contents are. */
export function uniqueElements(): Validator<readonly unknown[]> {
  return validator(
    "must not contain an element twice",
    (value: readonly unknown[]) =>
      new Set(value.map((element) => (isPrimitive(element) ? element : textOf(element)))).size === value.length,
  );
}

const isPrimitive = (value: unknown): boolean => typeof value !== "object" || value === null;

/** Returns equal texts for equal values: object members are in the order of the schema. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? { bigint: String(part) } : part));
}

/** Requires every element of a list or set to pass the validators. */
export function eachElement<T>(...validators: readonly Validator<T>[]): Validator<readonly T[]> {
  return each("each element", validators, (elements: readonly T[]) =>
    elements.map((element, index) => [`element ${index}`, element] as const),
  );
}

/** Requires every key of a map to pass the validators. */
export function eachKey(...validators: readonly Validator<string>[]): Validator<Readonly<Record<string, unknown>>> {
  return each("each key", validators, (record: Readonly<Record<string, unknown>>) =>
    Object.keys(record).map((key) => [`key ${JSON.stringify(key)}`, key] as const),
  );
}

/** Requires every value of a map to pass the validators. */
export function eachValue<T>(...validators: readonly Validator<T>[]): Validator<Readonly<Record<string, T>>> {
  return each("each value", validators, (record: Readonly<Record<string, T>>) =>
    Object.entries(record).map(([key, value]) => [`the value of ${JSON.stringify(key)}`, value] as const),
  );
}

/** Runs validators on each part of a value. Reports the first error and all warnings. Skips parts that are null. */
function each<T, P>(
  subject: string,
  validators: readonly Validator<P>[],
  partsOf: (whole: T) => readonly (readonly [string, P])[],
): Validator<T> {
  const check = (whole: T): ReturnType<Validator<T>> => {
    const parts = partsOf(whole).filter(([, part]) => part !== null);
    const checks = parts.flatMap(([name, part]) => validators.map((one) => [name, one(part)] as const));
    return whenAll(
      checks.map(([, verdict]) => verdict),
      (verdicts) => {
        const found = verdicts.map((verdict, index) => ({ name: checks[index]![0], ...findingsIn(verdict) }));
        const errors = found.flatMap(({ name, errors: wrong }) => wrong.map((one) => `${name} ${one}`));
        const warnings = found.flatMap(({ name, warnings: all }) => all.map(({ warning }) => ({ warning: `${name} ${warning}` })));
        return verdictOf([...errors.slice(0, 1), ...warnings]);
      },
    );
  };
  return Object.assign(check, { description: `${subject} ${validators.map((one) => one.description ?? "must be valid").join(" and ")}` });
}

/** Rejects null elements in a list, set or map whose elements are nullable. */
export function noNullElements(): Validator<Collection> {
  return validator("must not contain null", (value: Collection) => !Object.values(value).includes(null));
}
