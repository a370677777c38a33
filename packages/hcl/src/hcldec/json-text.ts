// SPDX-License-Identifier: Apache-2.0
import { unicodeEscape } from "../print/quote.ts";

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^"[\]{},:\s]+/g;

/**
 * JSON in lines, with two spaces for each level, and a newline at its end. It is laid out as text, because numbers and the order of
 * properties would not survive a detour over JavaScript's values.
 *
 * @see go encoding/json MarshalIndent
 */
export function indentedJson(json: string): string {
  let text = "";
  let line = "\n";
  let isOpen = false;
  for (const [part] of json.matchAll(token)) {
    const opens = part === "{" || part === "[";
    const closes = part === "}" || part === "]";
    if (closes) line = line.slice(0, -2);
    // An empty object or list stays in its line.
    if (isOpen !== closes) text += line;
    text += part === "," ? `,${line}` : part === ":" ? ": " : part;
    if (opens) line += "  ";
    isOpen = opens;
  }
  return `${text.replace(/[<>&\u2028\u2029]/g, unicodeEscape)}\n`;
}
