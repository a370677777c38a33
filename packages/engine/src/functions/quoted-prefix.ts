// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";

/** Quotes the first bytes of a text in UTF-8, as Go's `%q` does: those of a character that is cut off are escapes such as `\xc3`. */
export function quotedPrefix(text: string, byteLength: number): string {
  const bytes = Buffer.from(text).subarray(0, byteLength);
  const whole = wholeCharacters(bytes);
  const cut = [...bytes.subarray(whole)].map((byte) => `\\x${byte.toString(16)}`).join("");
  return `${goQuote(bytes.toString("utf8", 0, whole)).slice(0, -1)}${cut}"`;
}

/** Number of leading bytes that are whole characters, in bytes that are valid up to their end. */
function wholeCharacters(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start >= 0 && (bytes[start]! & 0xc0) === 0x80) start--;
  if (start < 0) return 0;
  const lead = bytes[start]!;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return start + length > bytes.length ? start : bytes.length;
}
