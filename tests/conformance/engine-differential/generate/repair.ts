// SPDX-License-Identifier: Apache-2.0
// Keeps a configuration valid after a change of one of its items.
import { attributesOf, mentions, printBlock, type Attribute } from "./block.ts";
import type { Draft } from "./draft.ts";
import { setExports, setSensitive } from "./exports.ts";
import { removeFixedMentions, usesItem, type Item, type Module } from "./module.ts";
import { write } from "./scope.ts";
import { staticText } from "./static-value.ts";

/** Writes another expression for an attribute of an item. */
export function rewrite(draft: Draft, module: Module, item: Item, attribute: Attribute): void {
  const slot = attribute.slot!;
  if (item.sort === "variable") {
    attribute.expression = staticText(draft.random, slot.kind);
    return;
  }
  const { text, ...facts } = write(draft, module, item, slot);
  attribute.expression = text;
  const wasRandom = attribute.isRandom === true;
  attribute.isRandom = facts.isRandom;
  if (item.sort === "output" && facts.sensitive) setSensitive(item.block);
  if (item.sort === "resource" && facts.isRandom && !wasRandom) {
    setExports(draft, item);
    // The order of a set cannot depend on the attribute any more.
    repair(draft, module, item.id);
  }
  if (item.sort !== "local") return;
  item.exports = item.exports.map((one) => ({ ...one, ...facts }));
  // What uses the local value may not refer to the new one in the same way.
  repair(draft, module, item.id);
}

/** Makes the items of a module that mention a changed item valid again. */
export function repair(draft: Draft, module: Module, id: string): void {
  for (const item of module.items) {
    if (item.id !== id && item.sort !== "refactoring") replaceMentions(draft, module, item, id);
  }
  removeIncomplete(draft, module);
}

/** Removes an item and what cannot do without it. */
export function drop(draft: Draft, module: Module, item: Item): void {
  module.items.splice(module.items.indexOf(item), 1);
  for (const other of module.items.filter((one) => usesItem(one, item.id))) {
    if (other.sort === "refactoring") module.items.splice(module.items.indexOf(other), 1);
    else replaceMentions(draft, module, other, item.id);
  }
  removeIncomplete(draft, module);
}

function replaceMentions(draft: Draft, module: Module, item: Item, id: string): void {
  if (!usesItem(item, id)) return;
  removeFixedMentions(item.block, id);
  for (const attribute of attributesOf(item.block)) {
    if (attribute.slot !== undefined && mentions(attribute.expression, id)) rewrite(draft, module, item, attribute);
  }
}

/** Drops checks without assertions, and data sources and ephemeral resources that have lost what they read. */
function removeIncomplete(draft: Draft, module: Module): void {
  const incomplete = module.items.find(
    ({ sort, block, type }) =>
      (sort === "check" && !printBlock(block).includes("assert {")) ||
      (sort === "data" && !/\bid = /.test(printBlock(block))) ||
      (sort === "ephemeral" && !printBlock(block).includes(`${type!.nameAttribute!} = `)),
  );
  if (incomplete !== undefined) drop(draft, module, incomplete);
}
