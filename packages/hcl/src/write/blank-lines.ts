// SPDX-License-Identifier: Apache-2.0

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09 || unit === 0x0d;

/** End of the blank lines at the start of a text. */
export function endOfLeadingBlankLines(text: string): number {
  let end = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x0a) end = index + 1;
    else if (!isBlank(unit)) return end;
  }
  return end;
}

/** Start of the blank lines at the end of a text, if its last line is complete. */
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

/** Leading white space of the last line of a text. */
export function indentationOf(text: string): string {
  const start = text.lastIndexOf("\n") + 1;
  let end = start;
  while (end < text.length && (text[end] === " " || text[end] === "\t")) end += 1;
  return text.slice(start, end);
}
