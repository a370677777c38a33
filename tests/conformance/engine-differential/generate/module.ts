// SPDX-License-Identifier: Apache-2.0
// A module as a list of items, each a block with what others can refer to. An item refers only to those before it, so that there are no cycles.
import { attributesOf, isBlock, mentions, printBlock, type Block } from "./block.ts";
import type { Referable } from "./expression.ts";
import type { Kind } from "./kind.ts";
import type { ResourceType } from "./resource-types.ts";

/** How often a resource or module exists. */
export type Repetition = "single" | "count" | "each" | "enabled";

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

/** A record of `.terraform/modules/modules.json`. */
export interface ModuleRecord {
  /** The path of the call: `c1.c2`. */
  readonly Key: string;
  readonly Source: string;
  readonly Dir: string;
}

/** The record of the modules that `tofu get` would write. */
export function moduleRecords(modules: readonly Module[]): readonly ModuleRecord[] {
  const records: ModuleRecord[] = [{ Key: "", Source: "", Dir: "." }];
  const visit = (module: Module, key: string): void => {
    for (const { sort, id, module: called, block } of module.items) {
      if (sort !== "call") continue;
      const target = modules.find(({ name }) => name === called)!;
      const path = key === "" ? id : `${key}.${id}`;
      records.push({ Key: path, Source: sourceOf(block), Dir: folderOf(target).slice(0, -1) });
      visit(target, path);
    }
  };
  visit(modules[0]!, "");
  return records;
}

/** The record of the modules that files call by folders: `source = "./modules/m"`. */
export function folderRecords(files: Readonly<Record<string, string>>): readonly ModuleRecord[] {
  const records: ModuleRecord[] = [];
  const visit = (folder: string, key: string, source: string): void => {
    records.push({ Key: key, Source: source, Dir: folder === "" ? "." : folder });
    const text = files[`${folder === "" ? "" : `${folder}/`}main.tf`] ?? "";
    for (const [, name, called] of text.matchAll(/module "(\w+)" \{\s*source\s*= "\.\/([^"]*)"/g))
      visit(folder === "" ? called! : `${folder}/${called!}`, key === "" ? name! : `${key}.${name!}`, `./${called!}`);
  };
  visit("", "", "");
  return records;
}

function sourceOf({ entries }: Block): string {
  const source = entries.find((entry) => !isBlock(entry) && entry.name === "source");
  return source === undefined || isBlock(source) ? "" : (JSON.parse(source.expression) as string);
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
      if (mentions(entry.header, id) || (isWhole(entry) && hasFixedMention(entry, id))) block.entries.splice(index, 1);
      else removeFixedMentions(entry, id);
    } else if (entry.slot === undefined && mentions(entry.expression, id)) {
      // Other arguments refer to the keys.
      if (entry.name === "for_each") entry.expression = 'toset(["a", "b"])';
      else block.entries.splice(index, 1);
    }
  }
}

/** Whether a block cannot do without any of its attributes: a condition, a dynamic block, or the data source of a check. */
function isWhole({ header }: Block): boolean {
  return /^(precondition|postcondition|assert|data .*|dynamic .*)$/.test(header);
}

function hasFixedMention(block: Block, id: string): boolean {
  return [...attributesOf(block)].some(({ slot, expression }) => slot === undefined && mentions(expression, id));
}

/** Replaces a name by another one in all expressions of an item. */
export function renameIn(item: Item, from: string, to: string): void {
  for (const attribute of attributesOf(item.block))
    attribute.expression = attribute.expression.replaceAll(new RegExp(`\\b${from}\\b`, "g"), to);
}
