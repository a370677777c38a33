// SPDX-License-Identifier: Apache-2.0

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
/** Characters to escape: quotes, backslashes, and those that are not printable for Go. */
const needsEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** Text that needs no escape sequences in a heredoc. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} \n\t]*$/u;

/**
 * Escapes a text for a quoted string: invisible characters, and starts of interpolations and directives.
 *
 * @see go hclwrite escapeQuotedStringLit
 */
export function escapeQuoted(text: string): string {
  return escapeSigils(text.toWellFormed().replace(needsEscape, (character) => short[character] ?? unicodeEscape(character)));
}

/** Escapes a text for a heredoc or bare template: starts of interpolations and directives, the only escapes there. */
export function escapeSigils(text: string): string {
  return text.replace(/[$%](?=\{)/g, "$&$&");
}

/** Whether a text needs no escape sequences in a heredoc. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

/** Unicode escape sequence of a character. */
export function unicodeEscape(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** A text as a quoted string. */
export function quoted(text: string): string {
  return `"${escapeQuoted(text)}"`;
}
