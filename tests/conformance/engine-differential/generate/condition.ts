// SPDX-License-Identifier: Apache-2.0
// Conditions of objects, and `check` blocks.
import type { Entry } from "./block.ts";
import type { Draft } from "./draft.ts";
import { addressOf } from "./exports.ts";
import type { Referable } from "./expression.ts";
import type { Item, Module } from "./module.ts";
import { write } from "./scope.ts";

/** Adds a condition: `precondition`, `postcondition` or `assert`. Most conditions hold. */
export function addCondition(
  draft: Draft,
  module: Module,
  item: Item | undefined,
  entries: Entry[],
  header: "precondition" | "postcondition" | "assert",
  more: readonly Referable[] = [],
): void {
  const { random } = draft;
  draft.constructs.add(header);
  const condition = write(draft, module, item, { kind: "bool", nonNull: true }, more).text;
  const refers = /\b(var|local|module|data|self|each|count)\.|tfcoremock_|terraform_data/.test(condition)
    ? condition
    : `${condition} || terraform.workspace != "x"`;
  const message = random.chance(0.7)
    ? '"It does not hold."'
    : write(draft, module, item, { kind: "string", open: true, inline: true }, more).text;
  // The failure of a check is only a warning.
  const holds = random.chance(header === "assert" ? 0.5 : 0.88);
  entries.push({
    header,
    entries: [
      { name: "condition", expression: holds ? `(${refers}) || true` : refers },
      { name: "error_message", expression: `"Failed: \${${message}}"` },
    ],
  });
}

/** Adds a `check` block to a module. */
export function addCheck(draft: Draft, module: Module): void {
  const id = draft.name("k");
  draft.constructs.add("check");
  const entries: Entry[] = [];
  const source = module.items.find(({ sort, type, repetition }) => sort === "resource" && type?.isData && repetition === "single");
  if (source !== undefined && draft.random.chance(0.4)) {
    draft.constructs.add("data source of a check");
    const type = source.type!.dataType ?? source.type!;
    entries.push({ header: `data "${type.name}" "d${id}"`, entries: [{ name: "id", expression: `${addressOf(source)}.id` }] });
  }
  addCondition(draft, module, undefined, entries, "assert");
  if (draft.random.chance(0.2)) addCondition(draft, module, undefined, entries, "assert");
  module.items.push({ id, sort: "check", block: { header: `check "${id}"`, entries }, exports: [] });
}
