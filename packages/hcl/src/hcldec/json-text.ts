// SPDX-License-Identifier: Apache-2.0
import { unicodeEscape } from "../print/quote.ts";

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^"[\]{},:\s]+/g;

/**
 * Indents JSON by two spaces for each level, with a newline at its end. It works on the text, because JavaScript values would not keep
 * numbers and the order of properties.
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
    // An empty object or array stays on one line.
    if (isOpen !== closes) text += line;
    text += part === "," ? `,${line}` : part === ":" ? ": " : part;
    if (opens) line += "  ";
    isOpen = opens;
  }
  return `${text.replace(/[<>&\u2028\u2029]/g, unicodeEscape)}\n`;
}
