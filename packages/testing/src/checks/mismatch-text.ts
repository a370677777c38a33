// SPDX-License-Identifier: Apache-2.0
import type { Json } from "../documents/json.ts";
import { formatPath, isMarked, stepsOf, valueAt, type ValuePath } from "../documents/value-path.ts";
import { showValue } from "../documents/show-value.ts";
import { type Expected, knownValueOf, type Mismatch } from "../known-value/known-value.ts";

/** A value and its place. */
export interface PlacedValue {
  /** The object that has the value: `notebook_note.a` or `output.title`. */
  readonly subject: string;
  readonly path: ValuePath;
  /** The value at the path. */
  readonly actual: Json | undefined;
  /** The marks of the whole subject: `true` in the place of each sensitive value. */
  readonly sensitive: Json | undefined;
}

/** Compares a value with an expected one. Returns the differences, a block of lines for each; undefined if there are none. */
export function compareWithExpected(value: PlacedValue, expected: Expected): string | undefined {
  const mismatches = knownValueOf(expected).mismatches(value.actual);
  return mismatches.length === 0 ? undefined : mismatches.map((mismatch) => mismatchText(value, mismatch)).join("\n");
}

function mismatchText({ subject, path, sensitive }: PlacedValue, { path: inner, expected, actual, reason }: Mismatch): string {
  const whole = [...stepsOf(path), ...inner];
  const isHidden = isMarked(sensitive, whole);
  const marks = isHidden ? true : valueAt(sensitive, whole);
  return [
    `${subject}${whole.length === 0 || typeof whole[0] === "number" ? "" : "."}${formatPath(whole)} differs:`,
    // An expected value of a sensitive attribute is most likely the secret itself.
    `  expected: ${isHidden ? "(sensitive value)" : expected}`,
    `  actual:   ${showValue(actual, marks)}`,
    ...(reason === undefined || isHidden ? [] : [`  reason:   ${reason}`]),
  ].join("\n");
}
