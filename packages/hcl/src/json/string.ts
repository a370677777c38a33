// SPDX-License-Identifier: Apache-2.0

/** Escape sequences as JSON has them. */
const escape = /^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/;
/** As much of an escape sequence as is right. */
const beginning = /^\\(?:u[\dA-Fa-f]{0,4})?/;
const longestEscape = 6;

/** The text of a JSON string; otherwise how many of its bytes are read until it is clear that it is none. */
export type JsonText = { readonly text: string } | { readonly wrongAt: number };

/**
 * Reads a string with its quotes, in which there are no control characters. Half surrogate pairs become U+FFFD, and so do bytes
 * that are no UTF-8, which stand in it as lone surrogates.
 */
export function readJsonString(token: string): JsonText {
  const right = rightLength(token);
  if (right === undefined) return { text: (JSON.parse(token.toWellFormed()) as string).toWellFormed() };
  return { wrongAt: byteLength(token.slice(0, right)) + (right < token.length ? 1 : 0) };
}

/** How far the token is right; undefined if all of it is. */
function rightLength(token: string): number | undefined {
  let at = 1;
  let quote = 0;
  for (;;) {
    if (quote >= 0 && quote < at) quote = token.indexOf('"', at);
    const backslash = token.indexOf("\\", at);
    if (backslash < 0 || (quote >= 0 && quote < backslash)) return quote < 0 ? token.length : undefined;
    const sequence = token.slice(backslash, backslash + longestEscape);
    const found = escape.exec(sequence);
    if (!found) return backslash + beginning.exec(sequence)![0].length;
    at = backslash + found[0].length;
  }
}

/** Of the source: a lone surrogate is one byte there, but would be written as three. */
function byteLength(text: string): number {
  return Buffer.byteLength(text) - 2 * (text.match(/\p{Surrogate}/gu)?.length ?? 0);
}
