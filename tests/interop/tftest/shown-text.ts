// SPDX-License-Identifier: Apache-2.0

/** Codes of terminals: what they switch on, and what they switch off. @see ECMA-48, SGR */
const names: ReadonlyMap<number, string> = new Map([
  [1, "bold"],
  [2, "faint"],
  [4, "underline"],
  ...["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"].map((name, index) => [30 + index, name] as const),
  [90, "gray"],
  ...["red", "green", "yellow", "blue", "magenta", "cyan", "white"].map((name, index) => [91 + index, `bright ${name}`] as const),
]);
const escape = "\u001b";
const parts = new RegExp(`(${escape}\\[[\\d;]*m|\\s+)`);
const weights = ["bold", "faint"];

/**
 * Describes what a terminal shows of a text with colours: `<red>Error<>`. Texts that are written with other codes, such as a reset of everything in
 * place of one of the colour, are equal if a reader sees no difference: the style of white space does not count, nor does white space at the end of lines.
 */
export function shownText(text: string): string {
  let style: readonly string[] = [];
  let shown = "";
  let current = "";
  for (const part of text.split(parts)) {
    if (part.startsWith(escape))
      style = part
        .slice(2, -1)
        .split(";")
        .reduce((before, code) => styleAfter(before, Number(code)), style);
    else if (part === "" || /^\s+$/.test(part)) shown += part;
    else {
      const wanted = style.toSorted().join(" ");
      if (wanted !== current) shown += `<${wanted}>`;
      shown += part;
      current = wanted;
    }
  }
  return shown.replaceAll(/[ \t]+$/gm, "");
}

function styleAfter(style: readonly string[], code: number): readonly string[] {
  if (code === 0) return [];
  if (code === 22) return style.filter((name) => !weights.includes(name));
  if (code === 24) return style.filter((name) => name !== "underline");
  if (code === 39) return style.filter((name) => name === "underline" || weights.includes(name));
  const name = names.get(code);
  if (name === undefined) throw new Error(`the text has an unknown code: ${code}`);
  const isColor = code >= 30;
  return [...style.filter((one) => one !== name && (!isColor || one === "underline" || weights.includes(one))), name];
}
