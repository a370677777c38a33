// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, number, string, type Value } from "@tenon/cty";
import { normalizeString, numberFromText, UNKNOWN, UNKNOWN_NOT_NULL, valueOf } from "@tenon/cty/unstable/payload";

export const trueValue: Value = valueOf(bool, true);
export const falseValue: Value = valueOf(bool, false);
export const nullValue: Value = valueOf(dynamic, null);
/** Stands for what a syntax error left unknown. */
export const placeholder: Value = valueOf(dynamic, UNKNOWN);
export const emptyText: Value = valueOf(string, "");

export function textValue(text: string): Value {
  return valueOf(string, normalizeString(text));
}

/** Undefined if the text is no number. */
export function numberValue(text: string): Value | undefined {
  const payload = numberFromText(text);
  return payload === undefined ? undefined : valueOf(number, payload);
}

export const unknownNumber: Value = valueOf(number, UNKNOWN);

/** Stands for a text that a syntax error left unknown. */
export const unknownText: Value = valueOf(string, UNKNOWN_NOT_NULL);
