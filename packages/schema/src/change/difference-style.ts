// SPDX-License-Identifier: Apache-2.0
import { styleText } from "node:util";

/** How text of a kind is set off. Each function gives its text back, decorated. */
export interface DifferenceStyle {
  /** The sign of what is created. */
  created(text: string): string;
  /** The sign of what is deleted, and what forces a replacement. */
  deleted(text: string): string;
  /** The sign of what is updated, and the arrow from old to new. */
  updated(text: string): string;
  /** What is of less interest: counts of what is hidden, and null. */
  faint(text: string): string;
  /** What a comment is about. */
  strong(text: string): string;
}

const asItIs = (text: string): string => text;

/** No decoration at all. */
export const plainStyle: DifferenceStyle = { created: asItIs, deleted: asItIs, updated: asItIs, faint: asItIs, strong: asItIs };

/** Terminal colours, as the cores use them. */
export const colourStyle: DifferenceStyle = {
  created: (text) => styleText("green", text, { validateStream: false }),
  deleted: (text) => styleText("red", text, { validateStream: false }),
  updated: (text) => styleText("yellow", text, { validateStream: false }),
  faint: (text) => styleText("gray", text, { validateStream: false }),
  strong: (text) => styleText("bold", text, { validateStream: false }),
};
