// SPDX-License-Identifier: Apache-2.0
import { equalJson, isArray, isObject, type Json } from "../documents/json.ts";
import type { PathStep } from "../documents/value-path.ts";

/** A difference between a value and what was expected of it. */
export interface Mismatch {
  /** Its path in the compared value. */
  readonly path: readonly PathStep[];
  /** The expectation in words: `"Bread"`, `3 elements`. */
  readonly expected: string;
  /** The actual value; undefined if there is none. */
  readonly actual: Json | undefined;
  /** The text of a predicate's error, if a predicate has rejected the value with one. */
  readonly reason?: string;
}

/** An expectation of a value. */
export interface KnownValue {
  /** The expectation in words. */
  readonly description: string;
  /** Returns how a value differs from the expectation; empty if it does not. */
  readonly mismatches: (actual: Json | undefined) => readonly Mismatch[];
}

/** An expected value: a {@link KnownValue}, or data that the value must equal. A set equals an array with the same elements in its order. */
export type Expected = KnownValue | ExpectedData;

/** Data that a value must equal. A bigint stands for a number that a double cannot hold. */
export type ExpectedData = string | number | bigint | boolean | null | readonly Expected[] | { readonly [name: string]: Expected };

/** Whether an expected value is more than data. */
export function isKnownValue(expected: Expected): expected is KnownValue {
  return typeof expected === "object" && expected !== null && "mismatches" in expected && typeof expected.mismatches === "function";
}

/** The known value for expected data. */
export function knownValueOf(expected: Expected): KnownValue {
  if (isKnownValue(expected)) return expected;
  if (typeof expected === "bigint") return leaf(String(expected), (actual) => equalJson(actual, bigNumber(expected)));
  if (isExpectedArray(expected)) return elementsOf(expected);
  if (typeof expected === "object" && expected !== null) return attributesOf(expected, false);
  return leaf(JSON.stringify(expected), (actual) => equalJson(actual, expected));
}

/** A known value that accepts or rejects a whole value. */
export function leaf(description: string, accepts: (actual: Json | undefined) => boolean): KnownValue {
  return {
    description,
    mismatches: (actual) => (accepts(actual) ? [] : [{ path: [], expected: description, actual }]),
  };
}

/** A list whose elements are the expected ones. */
export function elementsOf(expected: readonly Expected[]): KnownValue {
  const elements = expected.map(knownValueOf);
  const description = `[${elements.map((element) => element.description).join(", ")}]`;
  return {
    description,
    mismatches(actual) {
      if (!isArray(actual)) return [{ path: [], expected: description, actual }];
      const found = elements.flatMap((element, index) => below(index, element.mismatches(actual[index])));
      const extra = actual.slice(elements.length).map((value, index) => ({
        path: [elements.length + index],
        expected: "no element",
        actual: value,
      }));
      return [...found, ...extra];
    },
  };
}

/** An object or a map with the expected attributes. */
export function attributesOf(expected: Readonly<Record<string, Expected>>, isPartial: boolean): KnownValue {
  const attributes = Object.entries(expected).map(([name, value]) => [name, knownValueOf(value)] as const);
  const listed = attributes.map(([name, { description }]) => `${JSON.stringify(name)}: ${description}`);
  const description = `${listed.length === 0 ? "{}" : `{ ${listed.join(", ")} }`}${isPartial ? " and possibly more" : ""}`;
  return {
    description,
    mismatches(actual) {
      if (!isObject(actual)) return [{ path: [], expected: description, actual }];
      const found = attributes.flatMap(([name, value]) => below(name, value.mismatches(actual[name])));
      if (isPartial) return found;
      const extra = Object.keys(actual).filter((name) => !(name in expected));
      return [...found, ...extra.map((name) => ({ path: [name], expected: "no such name", actual: actual[name] }))];
    },
  };
}

/** Mismatches of a part of a value, as those of the whole. */
export function below(step: PathStep, mismatches: readonly Mismatch[]): readonly Mismatch[] {
  return mismatches.map((mismatch) => ({ ...mismatch, path: [step, ...mismatch.path] }));
}

/** Formats an element for the description of a known value. */
export function describeAll(values: readonly KnownValue[]): string {
  return values.map(({ description }) => description).join(", ");
}

function isExpectedArray(expected: ExpectedData): expected is readonly Expected[] {
  return Array.isArray(expected);
}

function bigNumber(value: bigint): Json {
  const text = String(value);
  return Number.isSafeInteger(Number(value)) ? Number(value) : (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(text);
}
