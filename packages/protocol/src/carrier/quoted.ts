// SPDX-License-Identifier: Apache-2.0

/** Maximum number of characters of a peer's text in an error message. */
const maxLength = 100;

/** Formats a text of the peer for an error message: in quotes, with control characters escaped, truncated to 100 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}
