// SPDX-License-Identifier: Apache-2.0
// Adds blocks to modules, and makes modules.
import { addCheck } from "./condition.ts";
import type { Draft } from "./draft.ts";
import type { Module } from "./module.ts";
import { addCall } from "./module-call.ts";
import { addLocal, addOutputs, makeVariable } from "./named-values.ts";
import { requirements } from "./provider-blocks.ts";
import { addData, addEphemeral, addResource } from "./resource.ts";
import { anyKind } from "./static-value.ts";

/** Adds blocks of random sorts to a module. */
export function fillModule(draft: Draft, module: Module, count: number): void {
  const { random } = draft;
  for (const _ of Array(count).keys()) {
    const sort = random.weighted([
      [5, "resource"],
      [2, "local"],
      [module.name === "" ? 1 : 0, "variable"],
      [1, "data"],
      [1, "call"],
      [draft.hasEphemeral ? 2 : 0, "ephemeral"],
    ] as const);
    if (sort === "resource") addResource(draft, module);
    else if (sort === "local") addLocal(draft, module);
    else if (sort === "variable") module.items.push(makeVariable(draft, anyKind(random), { inChild: false }));
    else if (sort === "data") addData(draft, module);
    else if (sort === "ephemeral") addEphemeral(draft, module);
    else {
      const callable = draft.modules.filter(({ name }) => name > module.name && name !== "");
      if (callable.length > 0) addCall(draft, module, random.pick(callable));
    }
  }
}

/** Makes a module that others can call. */
export function makeModule(draft: Draft, name: string): void {
  const { random } = draft;
  const module: Module = { name, items: [requirements(draft)] };
  draft.constructs.add("module");
  module.items.push(makeVariable(draft, "string", { name: "prefix", inChild: true }));
  for (const _ of Array(random.int(3)).keys()) module.items.push(makeVariable(draft, anyKind(random), { inChild: true }));
  if (draft.hasEphemeral && random.chance(0.5)) module.items.push(makeVariable(draft, "string", { inChild: true, isEphemeral: true }));
  draft.modules.push(module);
  fillModule(draft, module, 1 + random.int(3));
  addOutputs(draft, module, 1 + random.int(2));
  if (random.chance(0.15)) addCheck(draft, module);
}

/** Modules that nothing calls. */
export function unusedModules({ modules }: Draft): readonly Module[] {
  const called = new Set(modules.flatMap(({ items }) => items.map(({ module }) => module)));
  return modules.filter(({ name }) => name !== "" && !called.has(name));
}
