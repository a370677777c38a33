// SPDX-License-Identifier: Apache-2.0
import { isBlock, type Entry } from "./block.ts";
import { addDependsOn } from "./depends-on.ts";
import type { Draft } from "./draft.ts";
import { objectId, setExports } from "./exports.ts";
import type { Item, Module, Repetition } from "./module.ts";
import { hasAlias } from "./provider-blocks.ts";
import { addRepetition } from "./repetition.ts";
import { writeAttribute } from "./scope.ts";

/** Adds a call of a module. */
export function addCall(draft: Draft, module: Module, called: Module): void {
  const { random } = draft;
  const id = draft.name("c");
  const source = module.name === "" ? `./modules/${called.name}` : `../${called.name}`;
  const entries: Entry[] = [{ name: "source", expression: JSON.stringify(source) }];
  const repetition = addRepetition(draft, module, entries);
  draft.constructs.add(module.name === "" ? "module call" : "nested module call");
  if (repetition !== "single") draft.constructs.add(`module ${repetition === "count" ? "count" : "for_each"}`);
  const item: Item = { id, sort: "call", module: called.name, repetition, block: { header: `module "${id}"`, entries }, exports: [] };
  entries.push({ name: "prefix", expression: objectId(module, id, repetition) });
  for (const variable of called.items) {
    if (variable.sort !== "variable" || variable.id === "prefix") continue;
    const { kind, ephemeral = false } = variable.exports[0]!;
    const hasDefault = variable.block.entries.some((entry) => !isBlock(entry) && entry.name === "default");
    if (!hasDefault || random.chance(0.7))
      entries.push(writeAttribute(draft, module, item, variable.id, { kind, ...(ephemeral && { ephemeral }) }));
  }
  if (module.name === "") addProviders(draft, entries, repetition);
  if (random.chance(0.1)) addDependsOn(draft, module, entries);
  setExports(draft, item);
  module.items.push(item);
}

/** Passes a provider configuration with an alias, or an instance of one with `for_each`. */
function addProviders(draft: Draft, entries: Entry[], repetition: Repetition): void {
  const { random, constructs } = draft;
  const pass = (provider: string): void => void entries.push({ name: "providers", expression: `{ tfcoremock = ${provider} }` });
  if (hasAlias(draft, "other") && random.chance(0.3)) pass("tfcoremock.other");
  else if (hasAlias(draft, "each") && random.chance(0.5)) {
    const usesEach = repetition === "each" && entries.some((entry) => "name" in entry && /^(toset\(\[|\{ ")/.test(entry.expression));
    constructs.add("provider instance of a module");
    pass(`tfcoremock.each[${usesEach ? "each.key" : '"b"'}]`);
  }
}
