// SPDX-License-Identifier: Apache-2.0

/** Breaks the lines of a text, except indented ones, so that they fit into a number of columns. @see OpenTofu format, WordWrap */
export function wrapText(text: string, width: number): string {
  if (width <= 1) return text;
  return text
    .split("\n")
    .map((line) => (line.startsWith(" ") ? line : wrapLine(line, width - 1)))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length <= width || current === "") current = longer;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current].join("\n");
}
