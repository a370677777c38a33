// SPDX-License-Identifier: Apache-2.0
import { isNewer } from "./normalize.ts";

const short: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** Matches printable ASCII without escapes, the common case. */
const plain: RegExp = /^[ !#-[\]-~]*$/;
/** Go's IsPrint: letters, marks, numbers, punctuation and symbols of Unicode 15.0, and the ASCII space. */
const printable: RegExp = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/**
 * Returns a string in double quotes as Go's `%q` writes it. Hashes of set elements contain this text.
 *
 * @see go strconv.Quote
 */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text.toWellFormed()) quoted += short[character] ?? (isPrintable(character) ? character : escape(character));
  return `${quoted}"`;
}

function isPrintable(character: string): boolean {
  return printable.test(character) && !isNewer(character.codePointAt(0)!);
}

function escape(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
