// SPDX-License-Identifier: Apache-2.0
import { isArray, isObject, type Json, type JsonObject, numberText } from "../documents/json.ts";
import type { KnownValue } from "./known-value.ts";

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
  const { description, mismatches } = predicate("a number", (value): value is number => typeof value === "number", accepts);
  return {
    description,
    mismatches(actual) {
      const text = numberText(actual);
      return mismatches(text === undefined ? actual : Number(text));
    },
  };
}

/** A boolean that a predicate accepts. */
export function boolFunc(accepts: (value: boolean) => boolean | void): KnownValue {
  return predicate("a boolean", (actual): actual is boolean => typeof actual === "boolean", accepts);
}

/** A list that a predicate accepts. */
export function listFunc(accepts: (elements: readonly Json[]) => boolean | void): KnownValue {
  return predicate("a list", isArray, accepts);
}

/** A set that a predicate accepts. It gets the elements in the order of the state. */
export function setFunc(accepts: (elements: readonly Json[]) => boolean | void): KnownValue {
  return predicate("a set", isArray, accepts);
}

/** A tuple that a predicate accepts. */
export function tupleFunc(accepts: (elements: readonly Json[]) => boolean | void): KnownValue {
  return predicate("a tuple", isArray, accepts);
}

/** A map that a predicate accepts. */
export function mapFunc(accepts: (elements: JsonObject) => boolean | void): KnownValue {
  return predicate("a map", isObject, accepts);
}

/** An object that a predicate accepts. */
export function objectFunc(accepts: (attributes: JsonObject) => boolean | void): KnownValue {
  return predicate("an object", isObject, accepts);
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
