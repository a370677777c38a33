// SPDX-License-Identifier: Apache-2.0
import { isBlock, type Block, type Entry } from "./block.ts";
import { addCondition } from "./condition.ts";
import type { Draft } from "./draft.ts";
import { addressOf } from "./exports.ts";
import type { Item, Module } from "./module.ts";

/** Makes the `lifecycle` block of a resource; undefined for an empty one. */
export function makeLifecycle(draft: Draft, module: Module, item: Item): Block | undefined {
  const { random } = draft;
  const entries: Entry[] = [];
  const names = item.type!.attributes.filter(({ use }) => use === "optional").map(({ name }) => name);
  if (item.repetition === "enabled") entries.push({ name: "enabled", expression: enabledText(draft) });
  if (random.chance(0.3)) entries.push({ name: "create_before_destroy", expression: random.chance(0.8) ? "true" : "false" });
  if (random.chance(0.2) && names.length > 0)
    entries.push({ name: "ignore_changes", expression: random.chance(0.2) ? "all" : `[${random.pick(names)}]` });
  if (random.chance(0.03)) entries.push({ name: "prevent_destroy", expression: "true" });
  if (random.chance(0.05)) entries.push({ name: "destroy", expression: random.chance(0.8) ? "false" : "true" });
  const triggers = module.items.filter(({ sort, repetition, id }) => sort === "resource" && repetition === "single" && id !== item.id);
  const at = module.items.indexOf(item);
  const before = triggers.filter((one) => at === -1 || module.items.indexOf(one) < at);
  if (random.chance(0.2) && before.length > 0) {
    const trigger = random.pick(before);
    const attribute = random.chance(0.5) ? `.${random.pick(trigger.type!.attributes).name}` : "";
    entries.push({ name: "replace_triggered_by", expression: `[${addressOf(trigger)}${attribute}]` });
  }
  if (random.chance(0.15)) addCondition(draft, module, item, entries, "precondition");
  if (random.chance(0.15)) {
    const self = item.type!.attributes.filter(({ kind }) => typeof kind === "string");
    const more = self.map((one) => ({
      text: `self.${one.name}`,
      kind: one.kind,
      known: false,
      sensitive: one.sensitive === true,
      isRandom: true,
      nullable: true,
    }));
    addCondition(draft, module, item, entries, "postcondition", more);
  }
  for (const entry of entries) if (!isBlock(entry)) draft.constructs.add(entry.name);
  return entries.length === 0 ? undefined : { header: "lifecycle", entries };
}

/** A value for `enabled`. */
export function enabledText(draft: Draft): string {
  return draft.random.pick(["true", "true", "false", "length([1]) == 1"]);
}
