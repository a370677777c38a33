// SPDX-License-Identifier: Apache-2.0
import type { Entry } from "./block.ts";
import type { Draft } from "./draft.ts";
import { addressOf } from "./exports.ts";
import type { Module } from "./module.ts";

/** Adds an explicit dependency, if the module has something to depend on. */
export function addDependsOn(draft: Draft, module: Module, entries: Entry[]): void {
  const items = module.items.filter(({ sort }) => sort === "resource" || sort === "call" || sort === "data");
  if (items.length === 0) return;
  draft.constructs.add("depends_on");
  entries.push({ name: "depends_on", expression: `[${addressOf(draft.random.pick(items))}]` });
}
