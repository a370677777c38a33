// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { rangeText, validator } from "./validator.ts";

/** Text of this many characters: Unicode code points, as a person counts letters, not UTF-16 units. */
export function stringLength(range: { readonly min?: number; readonly max?: number }): Validator<string> {
  const { min = 0, max = Infinity } = range;
  return validator(`must be ${rangeText(range, "character")} long`, (value: string) => {
    // Most texts are decided without counting: a code point is one or two units.
    if (value.length < min || value.length > max * 2) return false;
    const length = Array.from(value).length;
    return length >= min && length <= max;
  });
}

/** Text of this many bytes in UTF-8. */
export function utf8Length(range: { readonly min?: number; readonly max?: number }): Validator<string> {
  const { min = 0, max = Infinity } = range;
  return validator(`must be ${rangeText(range, "byte")} long in UTF-8`, (value: string) => {
    const length = Buffer.byteLength(value);
    return length >= min && length <= max;
  });
}

/** Text that the expression finds something in: anchor it with `^` and `$` to match the whole. `what` says it in words. */
export function matches(expression: RegExp, what?: string): Validator<string> {
  // A global or sticky expression remembers where it was.
  const stateless = new RegExp(expression.source, expression.flags.replaceAll(/[gy]/g, ""));
  return validator(what ?? `must match ${stateless}`, (value: string) => stateless.test(value));
}

/** One of these texts, whatever their case. */
export function oneOfIgnoringCase(values: readonly string[]): Validator<string> {
  const known = new Set(values.map((value) => value.toLowerCase()));
  return validator(`must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}, in upper or lower case`, (value: string) =>
    known.has(value.toLowerCase()),
  );
}

/** Anything but these texts, whatever their case. */
export function noneOfIgnoringCase(values: readonly string[]): Validator<string> {
  const known = new Set(values.map((value) => value.toLowerCase()));
  const description = `must be none of ${values.map((value) => JSON.stringify(value)).join(", ")}, in upper or lower case`;
  return validator(description, (value: string) => !known.has(value.toLowerCase()));
}
