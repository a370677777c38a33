// SPDX-License-Identifier: Apache-2.0

/** Go's unicode.IsSpace: Unicode's White_Space. */
export function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return (unit <= 0xa0 && (unit === 0x85 || unit === 0xa0)) || (unit >= 0x1680 && wideSpace.test(String.fromCharCode(unit)));
}

const wideSpace = /[\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Without the white space around it, as Go trims. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Where the newline ends that starts here; -1 if there is none. */
export function newlineEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === 0x0a) return at + 1;
  return unit === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : -1;
}
