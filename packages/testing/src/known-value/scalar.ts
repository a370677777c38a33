// SPDX-License-Identifier: Apache-2.0
import { type Json, numberText } from "../documents/json.ts";
import { type KnownValue, knownValueOf, leaf } from "./known-value.ts";

/** The string `value`. */
export function stringExact(value: string): KnownValue {
  return knownValueOf(value);
}

/** A string that matches a pattern. */
export function stringRegexp(pattern: RegExp): KnownValue {
  return leaf(`a string that matches ${String(pattern)}`, (actual) => typeof actual === "string" && actual.search(pattern) >= 0);
}

/** The number `value`. A bigint stands for a number that a double cannot hold. */
export function numberExact(value: number | bigint): KnownValue {
  return knownValueOf(value);
}

/** An integer of 32 bits. */
export function int32Exact(value: number): KnownValue {
  return knownValueOf(value);
}

/** An integer of 64 bits. */
export function int64Exact(value: number | bigint): KnownValue {
  return knownValueOf(value);
}

/** A number whose nearest float of 32 bits is that of `value`. */
export function float32Exact(value: number): KnownValue {
  const isEqual = (text: string | undefined): boolean => text !== undefined && Math.fround(Number(text)) === Math.fround(value);
  return leaf(String(value), (actual) => isEqual(numberText(actual)));
}

/** A number whose nearest float of 64 bits is `value`. */
export function float64Exact(value: number): KnownValue {
  const isEqual = (text: string | undefined): boolean => text !== undefined && Number(text) === value;
  return leaf(String(value), (actual) => isEqual(numberText(actual)));
}

/** The boolean `value`. */
export function boolExact(value: boolean): KnownValue {
  return knownValueOf(value);
}

/** A null value. A value that is absent is not null. */
export function nullExact(): KnownValue {
  return leaf("null", (actual) => actual === null);
}

/** Any value but null. */
export function notNull(): KnownValue {
  return leaf("a value that is not null", (actual) => actual !== null && actual !== undefined);
}

/**
 * A string that a predicate accepts. A predicate that throws rejects the value, and its message is part of the failure.
 *
 * @example
 * stringFunc((title) => title.startsWith("B"));
 */
export function stringFunc(accepts: (value: string) => boolean | void): KnownValue {
  return predicate("a string", (actual): actual is string => typeof actual === "string", accepts);
}

/** A number that a predicate accepts, as a double. */
export function numberFunc(accepts: (value: number) => boolean | void): KnownValue {
  return {
    description: "a number that the predicate accepts",
    mismatches(actual) {
      const text = numberText(actual);
      const { mismatches } = predicate("a number", (value): value is number => typeof value === "number", accepts);
      return mismatches(text === undefined ? actual : Number(text));
    },
  };
}

/** A boolean that a predicate accepts. */
export function boolFunc(accepts: (value: boolean) => boolean | void): KnownValue {
  return predicate("a boolean", (actual): actual is boolean => typeof actual === "boolean", accepts);
}

function predicate<T extends Json>(
  kind: string,
  isKind: (actual: Json | undefined) => actual is T,
  accepts: (value: T) => boolean | void,
): KnownValue {
  const description = `${kind} that the predicate accepts`;
  return {
    description,
    mismatches(actual) {
      if (!isKind(actual)) return [{ path: [], expected: description, actual }];
      try {
        return accepts(actual) === false ? [{ path: [], expected: description, actual }] : [];
      } catch (error) {
        return [{ path: [], expected: description, actual, reason: error instanceof Error ? error.message : String(error) }];
      }
    },
  };
}
