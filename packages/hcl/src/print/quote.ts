// SPDX-License-Identifier: Apache-2.0

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
/** What Go takes for printable is written as it is, as the Go library does. */
const needsEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** Everything in it can stand in a heredoc as it is. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} \n\t]*$/u;

/**
 * A text as it stands between quotes: what cannot be seen is escaped, and so is what would begin a sequence.
 *
 * @see go hclwrite escapeQuotedStringLit
 */
export function escapeQuoted(text: string): string {
  return escapeSigils(text.toWellFormed().replace(needsEscape, (character) => short[character] ?? unicodeEscape(character)));
}

/** A text as it stands in a heredoc or a bare template, where there are no other escapes. */
export function escapeSigils(text: string): string {
  return text.replace(/[$%](?=\{)/g, "$&$&");
}

export function isVisible(text: string): boolean {
  return visible.test(text);
}

export function unicodeEscape(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** A text as a quoted string. */
export function quoted(text: string): string {
  return `"${escapeQuoted(text)}"`;
}
