// SPDX-License-Identifier: Apache-2.0
// A module as a list of items, each a block with what others can refer to. An item refers only to those before it, so that there are no cycles.
import { attributesOf, isBlock, mentions, printBlock, type Block } from "./block.ts";
import type { Referable } from "./expression.ts";
import type { Kind } from "./kind.ts";
import type { ResourceType } from "./resource-types.ts";

/** How often a resource or module exists. */
export type Repetition = "single" | "count" | "each";

/** A block of a module. */
export interface Item {
  /** A name that no other item of the case has: `r3`. */
  readonly id: string;
  readonly sort: "variable" | "local" | "resource" | "data" | "ephemeral" | "call" | "output" | "check" | "refactoring" | "provider";
  block: Block;
  /** What later items can refer to. */
  exports: readonly Referable[];
  readonly type?: ResourceType;
  repetition?: Repetition;
  /** The module that a call calls. */
  readonly module?: string;
}

/** A module: the root module, or one that others call. */
export interface Module {
  /** Empty for the root module. */
  readonly name: string;
  readonly items: Item[];
}

/** An output of a module, for its callers. */
export interface ModuleOutput {
  readonly name: string;
  readonly kind: Kind;
  readonly sensitive: boolean;
  readonly isRandom: boolean;
  readonly ephemeral: boolean;
}

/** The folder of a module. */
export function folderOf(module: Module): string {
  return module.name === "" ? "" : `modules/${module.name}/`;
}

/** The files of a configuration. */
export function printModules(modules: readonly Module[]): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const module of modules) {
    files[`${folderOf(module)}main.tf`] = module.items.map(({ block }) => printBlock(block)).join("\n");
  }
  return files;
}

/** Whether an item mentions another one. */
export function usesItem(item: Item, id: string): boolean {
  return mentions(printBlock(item.block), id);
}

/** Removes the entries that mention an item and that cannot be replaced, such as those of `depends_on`. */
export function removeFixedMentions(block: Block, id: string): void {
  for (let index = block.entries.length - 1; index >= 0; index--) {
    const entry = block.entries[index]!;
    if (isBlock(entry)) {
      if (mentions(entry.header, id)) block.entries.splice(index, 1);
      else removeFixedMentions(entry, id);
    } else if (entry.slot === undefined && mentions(entry.expression, id)) block.entries.splice(index, 1);
  }
}

/** Replaces a name by another one in all expressions of an item. */
export function renameIn(item: Item, from: string, to: string): void {
  for (const attribute of attributesOf(item.block))
    attribute.expression = attribute.expression.replaceAll(new RegExp(`\\b${from}\\b`, "g"), to);
}
