// SPDX-License-Identifier: Apache-2.0
// A configuration as a tree of named entries, so that a later step can change an entry and a failing case can be minimised.
import type { Kind } from "./kind.ts";

/** An attribute: `name = expression`. */
export interface Attribute {
  readonly name: string;
  expression: string;
  /** What the expression may be replaced by. Absent: nothing. */
  readonly slot?: Slot;
  /** Whether the value can differ between two runs. */
  isRandom?: boolean;
}

/** What an expression must be. */
export interface Slot {
  readonly kind: Kind;
  /** Whether the value must be known in a plan, whatever exists. */
  readonly known?: boolean;
  /** Whether the value must not be sensitive. */
  readonly open?: boolean;
  /** Whether the value must be the same in each run, because the order of a set depends on it. */
  readonly fixed?: boolean;
  /** Whether the value can be ephemeral. */
  readonly ephemeral?: boolean;
  /** Whether the value must not be null. */
  readonly nonNull?: boolean;
  /** Whether the expression stands within brackets, where a heredoc cannot end. */
  readonly inline?: boolean;
  /** Expressions to choose from. Absent: any expression of the kind. */
  readonly choices?: readonly string[];
}

/** A block: `header { … }`. */
export interface Block {
  readonly header: string;
  readonly entries: Entry[];
}

/** An attribute or a block. */
export type Entry = Attribute | Block;

/** Whether an entry is a block. */
export function isBlock(entry: Entry): entry is Block {
  return "header" in entry;
}

/** The attributes of a block and of the blocks in it. */
export function* attributesOf(block: Block): Generator<Attribute> {
  for (const entry of block.entries) {
    if (isBlock(entry)) yield* attributesOf(entry);
    else yield entry;
  }
}

/** Prints a block. */
export function printBlock({ header, entries }: Block, indent = ""): string {
  if (entries.length === 0) return `${indent}${header} {}\n`;
  const inner = `${indent}  `;
  const lines = entries.map((entry) => (isBlock(entry) ? printBlock(entry, inner) : `${inner}${entry.name} = ${entry.expression}\n`));
  return `${indent}${header} {\n${lines.join("")}${indent}}\n`;
}

/** Whether a text has a name of a generated item, such as `r3`. */
export function mentions(text: string, id: string): boolean {
  return new RegExp(`\\b${id}\\b`).test(text);
}
