// SPDX-License-Identifier: Apache-2.0
import { styleText } from "node:util";

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

/** Style with the terminal colours of the cores. */
export const colourStyle: DifferenceStyle = {
  created: (text) => styleText("green", text, { validateStream: false }),
  deleted: (text) => styleText("red", text, { validateStream: false }),
  updated: (text) => styleText("yellow", text, { validateStream: false }),
  faint: (text) => styleText("gray", text, { validateStream: false }),
  strong: (text) => styleText("bold", text, { validateStream: false }),
};
