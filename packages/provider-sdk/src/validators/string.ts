// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { rangeText, validator } from "./validator.ts";

/** Requires the length of a text to be in the range. The length is the number of Unicode code points, not of UTF-16 code units. */
export function stringLength(range: { readonly min?: number; readonly max?: number }): Validator<string> {
  const { min = 0, max = Infinity } = range;
  return validator(`must be ${rangeText(range, "character")} long`, (value: string) => {
    // Avoid counting for most texts: a code point has one or two code units.
    if (value.length < min || value.length > max * 2) return false;
    const length = Array.from(value).length;
    return length >= min && length <= max;
  });
}

/** Requires the length of a text in UTF-8 bytes to be in the range. */
export function utf8Length(range: { readonly min?: number; readonly max?: number }): Validator<string> {
  const { min = 0, max = Infinity } = range;
  return validator(`must be ${rangeText(range, "byte")} long in UTF-8`, (value: string) => {
    const length = Buffer.byteLength(value);
    return length >= min && length <= max;
  });
}

/** Requires a match of the expression in the text: anchor it with `^` and `$` to match the whole text. `what` is the error text. */
export function matches(expression: RegExp, what?: string): Validator<string> {
  // A global or sticky expression keeps its last index between calls.
  const stateless = new RegExp(expression.source, expression.flags.replaceAll(/[gy]/g, ""));
  return validator(what ?? `must match ${stateless}`, (value: string) => stateless.test(value));
}

/** Requires one of the texts, ignoring case. */
export function oneOfIgnoringCase(values: readonly string[]): Validator<string> {
  const known = new Set(values.map((value) => value.toLowerCase()));
  return validator(`must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}, in upper or lower case`, (value: string) =>
    known.has(value.toLowerCase()),
  );
}

/** Rejects the texts, ignoring case. */
export function noneOfIgnoringCase(values: readonly string[]): Validator<string> {
  const known = new Set(values.map((value) => value.toLowerCase()));
  const description = `must be none of ${values.map((value) => JSON.stringify(value)).join(", ")}, in upper or lower case`;
  return validator(description, (value: string) => !known.has(value.toLowerCase()));
}
