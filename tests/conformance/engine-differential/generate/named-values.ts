// SPDX-License-Identifier: Apache-2.0
// Variables, local values and outputs.
import type { Block, Entry, Slot } from "./block.ts";
import { addCondition } from "./condition.ts";
import { addDependsOn } from "./depends-on.ts";
import type { Draft } from "./draft.ts";
import { isSensitive, setSensitive } from "./exports.ts";
import { typeOf, type Kind } from "./kind.ts";
import type { Item, Module } from "./module.ts";
import { write } from "./scope.ts";
import { anyKind, staticText } from "./static-value.ts";

/** Options of a variable. */
export interface VariableOptions {
  /** Its name. Default: a new one. */
  readonly name?: string;
  /** Whether it belongs to a called module. */
  readonly inChild: boolean;
  readonly isEphemeral?: boolean;
}

/** Makes a variable. */
export function makeVariable(draft: Draft, kind: Kind, { name, inChild, isEphemeral = false }: VariableOptions): Item {
  const { random, constructs } = draft;
  const id = name ?? draft.name("v");
  const sensitive = name === undefined && random.chance(0.15);
  const entries: Entry[] = [{ name: "type", expression: typeOf(kind) }];
  if (!inChild || random.chance(0.3)) entries.push({ name: "default", expression: staticText(random, kind), slot: { kind, known: true } });
  if (sensitive) entries.push({ name: "sensitive", expression: "true" });
  if (sensitive) constructs.add("sensitive variable");
  if (isEphemeral) entries.push({ name: "ephemeral", expression: "true" });
  if (isEphemeral) constructs.add("ephemeral variable");
  if (random.chance(0.1)) {
    constructs.add("nullable");
    entries.push({ name: "nullable", expression: "false" });
  }
  if (random.chance(0.15)) {
    constructs.add("validation");
    const condition = random.weighted([
      [3, `var.${id} != "none"`],
      [3, `length(jsonencode(var.${id})) < 2000`],
      [1, `length(jsonencode(var.${id})) < 40`],
    ] as const);
    entries.push({
      header: "validation",
      entries: [
        { name: "condition", expression: condition },
        { name: "error_message", expression: '"The value is not valid."' },
      ],
    });
  }
  // An argument of a module may be anything.
  const known = !inChild || name !== undefined;
  const isRandom = inChild && name === undefined;
  const facts = { known, sensitive, ephemeral: isEphemeral, isRandom };
  return {
    id,
    sort: "variable",
    block: { header: `variable "${id}"`, entries },
    exports: [
      { text: `var.${id}`, kind, ...facts, nullable: isRandom },
      ...(typeof kind !== "string" && "object" in kind ? [{ text: `var.${id}.name`, kind: "string", ...facts } as const] : []),
    ],
  };
}

/** Adds a local value. */
export function addLocal(draft: Draft, module: Module): void {
  const id = draft.name("l");
  const { random } = draft;
  const slot: Slot = { kind: anyKind(random), ...(draft.hasEphemeral && random.chance(0.3) && { ephemeral: true }) };
  const { text, ...facts } = write(draft, module, undefined, slot);
  draft.constructs.add(facts.ephemeral ? "ephemeral local" : "local");
  const block: Block = { header: "locals", entries: [{ name: id, expression: text, slot }] };
  module.items.push({ id, sort: "local", block, exports: [{ text: `local.${id}`, kind: slot.kind, ...facts, nullable: true }] });
}

/** Adds outputs. */
export function addOutputs(draft: Draft, module: Module, count: number): void {
  const { random, constructs } = draft;
  for (const _ of Array(count).keys()) {
    const id = draft.name("o");
    const ephemeral = module.name !== "" && draft.hasEphemeral && random.chance(0.3);
    const slot: Slot = { kind: anyKind(random), ...(ephemeral && { ephemeral }) };
    const value = write(draft, module, undefined, slot);
    const entries: Entry[] = [{ name: "value", expression: value.text, slot }];
    if (ephemeral) entries.push({ name: "ephemeral", expression: "true" });
    if (ephemeral) constructs.add("ephemeral output");
    const block: Block = { header: `output "${id}"`, entries };
    if (value.sensitive || random.chance(0.1)) {
      setSensitive(block);
      constructs.add("sensitive output");
    }
    // See `marks-of-deprecated-outputs` for those that are sensitive or ephemeral.
    if (draft.deprecations.chance(module.name === "" ? 0.05 : 0.15) && !ephemeral && !isSensitive(block)) {
      entries.push({ name: "deprecated", expression: '"Use another output."' });
      constructs.add("deprecated output");
    }
    if (random.chance(0.1)) addDependsOn(draft, module, entries);
    if (random.chance(0.08)) addCondition(draft, module, undefined, entries, "precondition");
    constructs.add("output");
    module.items.push({ id, sort: "output", block, exports: [] });
  }
}
