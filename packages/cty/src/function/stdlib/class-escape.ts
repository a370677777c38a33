// SPDX-License-Identifier: Apache-2.0

const classEscape: RegExp = /^\\([pP])(?:\{(\^?)([^]*)\}|([^]))$/u;

interface ClassEscape {
  readonly name: string;
  readonly negated: boolean;
}

/** What `\p…` means. */
export function classOf(escape: string): ClassEscape {
  const [, letter, caret, long, short] = classEscape.exec(escape)!;
  return { name: long ?? short!, negated: (letter === "P") !== (caret === "^") };
}

/** The engine says of it what Go says of an unknown name; the name is put back then. */
export function unknownName(escape: string): string {
  return escape.includes("{") ? `\\p{unknown ${escape.slice(1, -1).replace("{", ": ")}}` : escape;
}
