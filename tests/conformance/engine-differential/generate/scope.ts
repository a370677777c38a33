// SPDX-License-Identifier: Apache-2.0
// Writes expressions over what an item of a module can refer to.
import type { Attribute, Slot } from "./block.ts";
import type { Draft } from "./draft.ts";
import { ExpressionWriter, type Expression, type Referable } from "./expression.ts";
import type { Item, Module } from "./module.ts";

/** What an item can refer to: the items before it, and its own `count` and `each`. Without an item, all items of the module. */
export function scopeOf(module: Module, item?: Item): readonly Referable[] {
  const at = item === undefined ? -1 : module.items.indexOf(item);
  const before = module.items.slice(0, at === -1 ? module.items.length : at).flatMap((one) => one.exports);
  const own = repetitionReferables(item);
  return [...before, ...own, ...own];
}

function repetitionReferables(item: Item | undefined): readonly Referable[] {
  const known = { known: true, sensitive: false, isRandom: false } as const;
  if (item?.repetition === "count") return [{ text: "count.index", kind: "number", ...known }];
  if (item?.repetition !== "each") return [];
  return [
    { text: "each.key", kind: "string", ...known },
    // The values of a map can be random.
    { text: "each.value", kind: "string", ...known, isRandom: true },
  ];
}

/** Writes an expression for a slot of an item. */
export function write(
  draft: Draft,
  module: Module,
  item: Item | undefined,
  slot: Slot,
  more: readonly Referable[] = [],
  depth?: number,
): Expression {
  return new ExpressionWriter(draft, [...scopeOf(module, item), ...more]).write(slot, depth);
}

/** Writes an attribute of an item. */
export function writeAttribute(
  draft: Draft,
  module: Module,
  item: Item | undefined,
  name: string,
  slot: Slot,
  more: readonly Referable[] = [],
): Attribute {
  const { text, isRandom } = write(draft, module, item, slot, more);
  return { name, expression: text, slot, ...(isRandom && { isRandom }) };
}
