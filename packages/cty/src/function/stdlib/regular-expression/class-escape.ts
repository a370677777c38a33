// SPDX-License-Identifier: Apache-2.0

const classEscape: RegExp = /^\\([pP])(?:\{(\^?)([^]*)\}|([^]))$/u;

interface ClassEscape {
  readonly name: string;
  readonly negated: boolean;
}

/** The class name of an escape `\p…` or `\P…`, and whether the class is negated. */
export function classOf(escape: string): ClassEscape {
  const [, letter, caret, long, short] = classEscape.exec(escape)!;
  return { name: long ?? short!, negated: (letter === "P") !== (caret === "^") };
}

/** An escape for which the engine reports the error that Go reports for an unknown class name. The error gets the original name back. */
export function unknownName(escape: string): string {
  return escape.includes("{") ? `\\p{unknown ${escape.slice(1, -1).replace("{", ": ")}}` : escape;
}
