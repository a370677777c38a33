// SPDX-License-Identifier: Apache-2.0

/** Nothing below U+0300 changes under normal form C, alone or next to its like. */
const mayChange: RegExp = /[\u0300-\uffff]/;

/**
 * A string as values hold it: well-formed Unicode in normal form C.
 *
 * Lone surrogates, which no UTF-8 can carry, become U+FFFD. Go's implementation also breaks runs of more than 30 combining
 * characters with U+034F ("stream-safe" text); so does this.
 *
 * @see go-cty ctystrings.Normalize
 */
export function normalizeString(text: string): string {
  if (!mayChange.test(text)) return text;
  return text.toWellFormed().normalize("NFC");
}
