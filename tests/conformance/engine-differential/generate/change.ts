// SPDX-License-Identifier: Apache-2.0
// Changes of a configuration from one step to the next.
import { attributesOf, isBlock, type Attribute, type Block } from "./block.ts";
import type { Draft } from "./draft.ts";
import { objectId, setExports } from "./exports.ts";
import { enabledText, makeLifecycle } from "./lifecycle.ts";
import { removeFixedMentions, type Item, type Module, type Repetition } from "./module.ts";
import { hasAlias, mockProvider, providerSource } from "./provider-blocks.ts";
import { countText, eachText, repetitionOf } from "./repetition.ts";
import { drop, repair, rewrite } from "./repair.ts";

/** Replaces some expressions. */
export function edit(draft: Draft): void {
  const { random } = draft;
  const module = draft.anyModule();
  for (const item of module.items.filter(({ sort }) => ["resource", "local", "variable", "output"].includes(sort))) {
    if (!random.chance(0.5)) continue;
    for (const attribute of attributesOf(item.block)) {
      if (attribute.slot !== undefined && random.chance(0.5)) rewrite(draft, module, item, attribute);
    }
  }
  if (hasAlias(draft, "each") && random.chance(0.3)) {
    const at = draft.root.items.findIndex(({ sort, id }) => sort === "provider" && id === "each");
    draft.root.items[at] = mockProvider(draft, "each");
  }
  const source = draft.root.items.findIndex(({ id }) => id === "source");
  if (source >= 0 && random.chance(0.5)) draft.root.items[source] = providerSource(draft);
}

/** Changes how often a resource or module exists. Returns whether something was changed. */
export function repeat(draft: Draft): boolean {
  const module = draft.anyModule();
  const items = module.items.filter(
    (item) => (item.sort === "resource" || item.sort === "call") && repetitionAttribute(item) !== undefined,
  );
  if (items.length === 0) return false;
  const item = draft.random.pick(items);
  const attribute = repetitionAttribute(item)!;
  if (attribute.name === "enabled") attribute.expression = enabledText(draft);
  else if (attribute.name === "count") attribute.expression = countText(draft);
  else attribute.expression = eachText(draft, module, item);
  return true;
}

function repetitionAttribute({ block, repetition }: Item): Attribute | undefined {
  if (repetition !== "enabled") return repetitionOf(block);
  return [...attributesOf(block)].find(({ name }) => name === "enabled");
}

/** Removes an item and what mentions it. Returns the item. */
export function removeItem(draft: Draft): { readonly module: Module; readonly item: Item } | undefined {
  const module = draft.anyModule();
  const items = module.items.filter(({ sort }) => ["resource", "call", "data", "ephemeral"].includes(sort));
  if (items.length === 0) return undefined;
  const item = draft.random.pick(items);
  drop(draft, module, item);
  return { module, item };
}

/** Makes a single resource counted, or the other way round: a move that the core finds itself. */
export function toggleCount(draft: Draft): boolean {
  const { random } = draft;
  const module = draft.anyModule();
  const items = module.items.filter(({ sort, repetition }) => sort === "resource" && (repetition === "single" || repetition === "count"));
  if (items.length === 0) return false;
  const item = random.pick(items);
  draft.constructs.add("implied move");
  if (item.repetition === "count") setRepetition(draft, module, item, "single");
  else setRepetition(draft, module, item, "count", String(1 + random.int(2)));
  return true;
}

/** Changes how a resource is repeated, and what mentions its instances. The expression is that of `count` or `for_each`. */
export function setRepetition(draft: Draft, module: Module, item: Item, repetition: Repetition, expression?: string): void {
  const { block } = item;
  const former = repetitionOf(block);
  if (former !== undefined) block.entries.splice(block.entries.indexOf(former), 1);
  if (expression !== undefined) block.entries.unshift({ name: repetition === "count" ? "count" : "for_each", expression });
  item.repetition = repetition;
  const gone = [...(repetition === "count" ? [] : ["count.index"]), ...(repetition === "each" ? [] : ["each.key", "each.value"])];
  const names = new Set(["id", item.type!.nameAttribute]);
  for (const attribute of attributesOf(block)) {
    if (attribute.slot !== undefined && gone.some((text) => attribute.expression.includes(text))) rewrite(draft, module, item, attribute);
    else if (names.has(attribute.name) && attribute.slot === undefined) attribute.expression = objectId(module, item.id, repetition);
  }
  for (const text of gone) removeFixedMentions(block, text);
  setExports(draft, item);
  repair(draft, module, item.id);
}

/** Changes the lifecycle of a resource. */
export function changeLifecycle(draft: Draft): boolean {
  const module = draft.anyModule();
  const items = module.items.filter(({ sort }) => sort === "resource");
  if (items.length === 0) return false;
  const item = draft.random.pick(items);
  const at = item.block.entries.findIndex((entry) => isBlock(entry) && entry.header === "lifecycle");
  if (at >= 0) item.block.entries.splice(at, 1);
  const lifecycle: Block | undefined = makeLifecycle(draft, module, item);
  if (lifecycle !== undefined) item.block.entries.push(lifecycle);
  return true;
}
