// SPDX-License-Identifier: Apache-2.0
import { numberText } from "../documents/json.ts";
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
