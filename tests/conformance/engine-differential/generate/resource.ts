// SPDX-License-Identifier: Apache-2.0
// Resources, data sources and ephemeral resources.
import { fillBody } from "./body.ts";
import type { Entry } from "./block.ts";
import { addDependsOn } from "./depends-on.ts";
import type { Draft } from "./draft.ts";
import { addressOf, objectId, setExports } from "./exports.ts";
import { makeLifecycle } from "./lifecycle.ts";
import type { Item, Module, Repetition } from "./module.ts";
import { hasAlias } from "./provider-blocks.ts";
import { addRepetition } from "./repetition.ts";
import type { ResourceType } from "./resource-types.ts";

/** Adds a managed resource. */
export function addResource(draft: Draft, module: Module): void {
  const { random, constructs, types } = draft;
  const type = random.pick(random.chance(0.25) ? types.filter(({ hasId }) => !hasId) : types);
  const id = draft.name("r");
  const entries: Entry[] = [];
  let repetition: Repetition = addRepetition(draft, module, entries);
  if (repetition === "single" && random.chance(0.08)) repetition = "enabled";
  const block = { header: `resource "${type.name}" "${id}"`, entries };
  const item: Item = { id, sort: "resource", type, repetition, block, exports: [] };
  constructs.add(/^tfcoremock_t\d/.test(type.name) ? "declared type" : type.name);
  if (module.name === "" && type.provider === "tfcoremock") addProvider(draft, entries, repetition);
  if (type.nameAttribute !== undefined) entries.push({ name: type.nameAttribute, expression: objectId(module, id, repetition) });
  if (type.hasId && random.chance(0.85)) entries.push({ name: "id", expression: objectId(module, id, repetition) });
  fillBody(draft, block, type, { module, item });
  if (random.chance(0.12)) addDependsOn(draft, module, entries);
  if (random.chance(0.04)) addProvisioner(draft, entries);
  const lifecycle = repetition === "enabled" || random.chance(0.4) ? makeLifecycle(draft, module, item) : undefined;
  if (lifecycle !== undefined) entries.push(lifecycle);
  setExports(draft, item);
  module.items.push(item);
}

/** Chooses a provider configuration with an alias, or an instance of one with `for_each`. */
function addProvider(draft: Draft, entries: Entry[], repetition: Repetition): void {
  const { random, constructs } = draft;
  if (hasAlias(draft, "other") && random.chance(0.3)) entries.push({ name: "provider", expression: "tfcoremock.other" });
  else if (hasAlias(draft, "each") && random.chance(0.5)) {
    const usesEach = repetition === "each" && entries.some((entry) => "name" in entry && /^(toset\(\[|\{ ")/.test(entry.expression));
    if (usesEach) constructs.add("provider instance of each.key");
    entries.push({ name: "provider", expression: `tfcoremock.each[${usesEach ? "each.key" : JSON.stringify(random.pick(["a", "b"]))}]` });
  }
}

function addProvisioner({ random, constructs }: Draft, entries: Entry[]): void {
  constructs.add("provisioner");
  const when = random.chance(0.4) ? [{ name: "when", expression: "destroy" }] : [];
  const onFailure = random.chance(0.3) ? [{ name: "on_failure", expression: "continue" }] : [];
  const command = { name: "command", expression: random.pick(['"true"', '"exit 3"']) };
  entries.push({ header: 'provisioner "local-exec"', entries: [...when, ...onFailure, command] });
}

/** Adds a data source that reads an object of a resource, if the module has a suitable resource. */
export function addData(draft: Draft, module: Module): void {
  const { random } = draft;
  const sources = module.items.filter(({ sort, type, repetition }) => sort === "resource" && type?.isData && repetition === "single");
  if (sources.length === 0) return;
  draft.constructs.add("data source");
  const source = random.pick(sources);
  const id = draft.name("d");
  const type = source.type!.dataType ?? source.type!;
  const entries: Entry[] = [{ name: "id", expression: `${addressOf(source)}.id` }];
  if (random.chance(0.2)) addDependsOn(draft, module, entries);
  addReader(draft, module, "data", { id, type, repetition: "single", entries });
}

/** Adds an ephemeral resource, if a provider has a type of them. */
export function addEphemeral(draft: Draft, module: Module): void {
  const { random } = draft;
  const type = draft.peers.find(({ ephemeral }) => ephemeral !== undefined)?.ephemeral;
  if (type === undefined) return;
  draft.constructs.add("ephemeral resource");
  const id = draft.name("e");
  const entries: Entry[] = [];
  const repetition = addRepetition(draft, module, entries);
  const sources = module.items.filter(
    (one) => one.sort === "resource" && one.type?.provider === type.provider && one.repetition === "single",
  );
  const isDependent = sources.length > 0 && random.chance(0.4);
  const name = isDependent ? `"${id}-\${${addressOf(random.pick(sources))}.id}"` : objectId(module, id, repetition);
  entries.push({ name: type.nameAttribute!, expression: name });
  if (random.chance(0.1)) addDependsOn(draft, module, entries);
  addReader(draft, module, "ephemeral", { id, type, repetition, entries });
}

function addReader(
  draft: Draft,
  module: Module,
  sort: "data" | "ephemeral",
  { entries, ...facts }: { readonly id: string; readonly type: ResourceType; readonly repetition: Repetition; readonly entries: Entry[] },
): void {
  const item: Item = { ...facts, sort, block: { header: `${sort} "${facts.type.name}" "${facts.id}"`, entries }, exports: [] };
  setExports(draft, item);
  module.items.push(item);
}
