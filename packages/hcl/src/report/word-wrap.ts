// SPDX-License-Identifier: Apache-2.0

/** A word with the white space before it. A no-break space belongs to the word. */
const words = /([^\S\u00a0]*)((?:\S|\u00a0)+)/gu;

/**
 * Breaks lines at white space, so that they have at most `width` characters. Longer words stay whole; line breaks and white space within
 * lines are kept. A width of 0 means no limit.
 */
export function wordWrap(text: string, width: number): string {
  if (width === 0) return text;
  return text
    .split("\n")
    .map((line) => wrappedLine(line, width))
    .join("\n");
}

function wrappedLine(line: string, width: number): string {
  let wrapped = "";
  let used = 0;
  let read = 0;
  for (const match of line.matchAll(words)) {
    const [all, space = "", word = ""] = match;
    const length = [...word].length;
    // A word that is longer than a line starts a new line as well.
    if (used + space.length + Math.min(length, width - 1) > width) {
      wrapped += `\n${word}`;
      used = length;
    } else {
      wrapped += all;
      used += space.length + length;
    }
    read = match.index + all.length;
  }
  const rest = line.slice(read);
  return used + rest.length > width ? wrapped : wrapped + rest;
}
