// SPDX-License-Identifier: Apache-2.0

/**
 * Breaks lines at spaces, so that they are shorter than the width where their words allow it. Lines that start with a space stay as they are.
 *
 * @see OpenTofu internal/command/format/trivia.go
 */
export function wordWrap(text: string, width: number): string {
  const limit = width - 1;
  if (limit <= 1) return text;
  return text
    .split("\n")
    .map((line) => (line.startsWith(" ") ? line : wrapLine(line, limit)))
    .join("\n");
}

function wrapLine(line: string, limit: number): string {
  const lines: string[] = [];
  let current: string | undefined;
  for (const word of line.split(" ")) {
    if (current === undefined) current = word;
    else if (current.length + 1 + word.length <= limit) current += ` ${word}`;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current].join("\n");
}
