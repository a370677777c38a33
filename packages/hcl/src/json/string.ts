// SPDX-License-Identifier: Apache-2.0

/** Escape sequences of JSON. */
const escape = /^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/;
/** The valid part of an escape sequence. */
const beginning = /^\\(?:u[\dA-Fa-f]{0,4})?/;
const longestEscape = 6;

/** The text of a JSON string; for an invalid one, the number of bytes before the error. */
export type JsonText = { readonly text: string } | { readonly wrongAt: number };

/**
 * Reads a string with its quotes and without control characters. Unpaired surrogates become U+FFFD, and so do invalid UTF-8 bytes,
 * which are lone surrogates in the token.
 */
export function readJsonString(token: string): JsonText {
  const valid = validLength(token);
  if (valid === undefined) return { text: (JSON.parse(token.toWellFormed()) as string).toWellFormed() };
  return { wrongAt: byteLength(token.slice(0, valid)) + (valid < token.length ? 1 : 0) };
}

/** Length of the valid part of a token; undefined if all of it is valid. */
function validLength(token: string): number | undefined {
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

/** Number of source bytes: a lone surrogate is one byte there. */
function byteLength(text: string): number {
  return Buffer.byteLength(text) - 2 * (text.match(/\p{Surrogate}/gu)?.length ?? 0);
}
