// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, number, string, type Value } from "@tenon/cty";
import { normalizeString, numberFromText, UNKNOWN, UNKNOWN_NOT_NULL, valueOf } from "@tenon/cty/unstable/payload";

/** `true` */
export const trueValue: Value = valueOf(bool, true);
/** `false` */
export const falseValue: Value = valueOf(bool, false);
/** `null`, of unknown type. */
export const nullValue: Value = valueOf(dynamic, null);
/** Placeholder for an expression that a syntax error left incomplete. */
export const placeholder: Value = valueOf(dynamic, UNKNOWN);
/** The empty string. */
export const emptyText: Value = valueOf(string, "");

/** A string value, in normal form C. */
export function textValue(text: string): Value {
  return valueOf(string, normalizeString(text));
}

/** Parses a number; undefined for an invalid one. */
export function numberValue(text: string): Value | undefined {
  const payload = numberFromText(text);
  return payload === undefined ? undefined : valueOf(number, payload);
}

/** Placeholder for a number that could not be parsed. */
export const unknownNumber: Value = valueOf(number, UNKNOWN);

/** Placeholder for a text that a syntax error left incomplete. */
export const unknownText: Value = valueOf(string, UNKNOWN_NOT_NULL);
