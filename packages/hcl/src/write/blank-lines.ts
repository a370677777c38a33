// SPDX-License-Identifier: Apache-2.0

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09 || unit === 0x0d;

/** Where the blank lines end that a text begins with. */
export function endOfLeadingBlankLines(text: string): number {
  let end = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x0a) end = index + 1;
    else if (!isBlank(unit)) return end;
  }
  return end;
}

/** Where the blank lines start that a text ends with, if its last line is complete. */
export function startOfTrailingBlankLines(text: string): number {
  if (!text.endsWith("\n")) return text.length;
  let start = text.length;
  for (let index = text.length - 1; index > 0; index--) {
    const unit = text.charCodeAt(index - 1);
    if (unit === 0x0a) start = index;
    else if (!isBlank(unit)) return start;
  }
  return 0;
}

/** The white space that the last line of a text begins with. */
export function indentationOf(text: string): string {
  const start = text.lastIndexOf("\n") + 1;
  let end = start;
  while (end < text.length && (text[end] === " " || text[end] === "\t")) end += 1;
  return text.slice(start, end);
}
