// SPDX-License-Identifier: Apache-2.0
/** Style of a rendered difference. Each function returns its text decorated. */
export interface DifferenceStyle {
  /** Sign of a create. */
  created(text: string): string;
  /** Sign of a delete, and the note that a change forces replacement. */
  deleted(text: string): string;
  /** Sign of an update, and the arrow between two values. */
  updated(text: string): string;
  /** Text of less importance: null, and counts of hidden parts. */
  faint(text: string): string;
  /** Subject of a comment. */
  strong(text: string): string;
  /** Sign of a read. Default: `updated`. */
  read?(text: string): string;
  /** Ends a text that a core decorates in one step; the functions above have decorated its parts. Default: the text itself. */
  group?(text: string): string;
}

const unchanged = (text: string): string => text;

/** Style without decoration. */
export const plainStyle: DifferenceStyle = {
  created: unchanged,
  deleted: unchanged,
  updated: unchanged,
  faint: unchanged,
  strong: unchanged,
};

const escape = "\u001B[";
const reset = `${escape}0m`;

function decorated(code: number): (text: string) => string {
  return (text) => `${escape}${code}m${text}${text.endsWith(reset) ? "" : reset}`;
}

/** Style with the terminal colours of OpenTofu, byte for byte: it ends each group of decorated texts with another reset. */
export const colourStyle: DifferenceStyle = {
  created: decorated(32),
  deleted: decorated(31),
  updated: decorated(33),
  faint: decorated(90),
  strong: decorated(1),
  read: decorated(36),
  group: (text) => (text.includes(escape) ? `${text}${reset}` : text),
};

/** Ends a group of decorated texts. */
export function grouped(text: string, style: DifferenceStyle): string {
  return style.group?.(text) ?? text;
}
