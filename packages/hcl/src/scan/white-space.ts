// SPDX-License-Identifier: Apache-2.0

/** Whether a UTF-16 unit is white space (Unicode's White_Space). @see go unicode.IsSpace */
export function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return (unit <= 0xa0 && (unit === 0x85 || unit === 0xa0)) || (unit >= 0x1680 && wideSpace.test(String.fromCharCode(unit)));
}

const wideSpace = /[\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** The text without leading and trailing white space. @see go strings.TrimSpace */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** End of the newline (LF or CR LF) at an offset; -1 if none starts there. */
export function newlineEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === 0x0a) return at + 1;
  return unit === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : -1;
}
