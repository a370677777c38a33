// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { rangeText, validator } from "./validator.ts";

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

/** A list of strings, numbers or booleans in which nothing stands twice. */
export function uniqueElements(): Validator<readonly unknown[]> {
  return validator("must not have an element twice", (value: readonly unknown[]) => new Set(value).size === value.length);
}

/** A list or set whose elements all pass. */
export function eachElement<T>(...validators: readonly Validator<T>[]): Validator<readonly T[]> {
  const description = `each element ${validators.map((one) => one.description ?? "must be valid").join(" and ")}`;
  const check = (elements: readonly T[]): string | undefined => {
    for (const [index, element] of elements.entries()) {
      for (const one of validators) {
        const wrong = element === null ? undefined : one(element);
        if (wrong !== undefined) return `element ${index} ${wrong}`;
      }
    }
    return undefined;
  };
  return Object.assign(check, { description });
}

/** A map whose keys all pass. */
export function eachKey(...validators: readonly Validator<string>[]): Validator<Readonly<Record<string, unknown>>> {
  const description = `each key ${validators.map((one) => one.description ?? "must be valid").join(" and ")}`;
  const check = (record: Readonly<Record<string, unknown>>): string | undefined => {
    for (const key of Object.keys(record)) {
      for (const one of validators) {
        const wrong = one(key);
        if (wrong !== undefined) return `key ${JSON.stringify(key)} ${wrong}`;
      }
    }
    return undefined;
  };
  return Object.assign(check, { description });
}

/** A map whose values all pass. */
export function eachValue<T>(...validators: readonly Validator<T>[]): Validator<Readonly<Record<string, T>>> {
  const description = `each value ${validators.map((one) => one.description ?? "must be valid").join(" and ")}`;
  const check = (record: Readonly<Record<string, T>>): string | undefined => {
    for (const [key, value] of Object.entries(record)) {
      for (const one of validators) {
        const wrong = value === null ? undefined : one(value);
        if (wrong !== undefined) return `the value of ${JSON.stringify(key)} ${wrong}`;
      }
    }
    return undefined;
  };
  return Object.assign(check, { description });
}

/** A list, set or map without null, where its elements are nullable. */
export function noNullElements(): Validator<Collection> {
  return validator("must not have null in it", (value: Collection) => !Object.values(value).includes(null));
}
