// SPDX-License-Identifier: Apache-2.0
// What later items can refer to of a resource or a module call.
import { isBlock, type Attribute, type Block } from "./block.ts";
import type { Draft } from "./draft.ts";
import type { Referable } from "./expression.ts";
import type { Kind } from "./kind.ts";
import type { Item, Module, ModuleOutput, Repetition } from "./module.ts";

/** The address of a resource or call in its module. */
export function addressOf(item: Item): string {
  if (item.sort === "call") return `module.${item.id}`;
  const address = `${item.type!.name}.${item.id}`;
  return item.sort === "data" || item.sort === "ephemeral" ? `${item.sort}.${address}` : address;
}

/** The id of a remote object, which no other object has. */
export function objectId(module: Module, id: string, repetition: Repetition): string {
  const prefix = module.name === "" ? "" : "${var.prefix}-";
  const suffix = repetition === "count" ? "-${count.index}" : repetition === "each" ? "-${each.key}" : "";
  return `"${prefix}${id}${suffix}"`;
}

/** Sets what other items can refer to. */
export function setExports(draft: Draft, item: Item): void {
  item.exports = item.sort === "call" ? callExports(draft, item) : resourceExports(item);
}

function callExports(draft: Draft, item: Item): readonly Referable[] {
  const { repetition = "single" } = item;
  const outputs: readonly ModuleOutput[] = draft.called(item.module!).items.flatMap(({ sort, id, block }) => {
    if (sort !== "output") return [];
    const value = block.entries.find((entry) => !isBlock(entry) && entry.name === "value") as Attribute;
    return [{ name: id, kind: value.slot!.kind, sensitive: isSensitive(block), isRandom: true, ephemeral: value.slot!.ephemeral === true }];
  });
  return outputs.flatMap(({ name, kind, sensitive, isRandom, ephemeral }) =>
    repeated(`module.${item.id}`, repetition, name, { kind, sensitive, isRandom, ephemeral, known: false, nullable: true }),
  );
}

function resourceExports(item: Item): readonly Referable[] {
  const { repetition = "single" } = item;
  const address = addressOf(item);
  const exports: Referable[] = [];
  for (const { name, kind, sensitive = false, isRandom = false, writeOnly = false } of item.type!.attributes) {
    if (writeOnly) continue;
    const isPlain = name !== "id" || item.block.entries.some((entry) => !isBlock(entry) && entry.name === "id");
    const facts: Facts = {
      kind,
      sensitive,
      isRandom: (isRandom && !isPlain) || item.sort === "data" || hasRandomValue(item, name === "output" ? "input" : name),
      ephemeral: item.sort === "ephemeral",
      known: false,
      nullable: name !== "id",
    };
    exports.push(...repeated(address, repetition, name, facts));
  }
  return exports;
}

/** Whether the value of an attribute, or of something in it, refers to something random. */
function hasRandomValue({ block }: Item, name: string): boolean {
  return block.entries.some((entry) => !isBlock(entry) && entry.name === name && entry.isRandom === true);
}

type Facts = Omit<Referable, "text">;

/** How an attribute of an object that may be repeated can be referred to. */
function repeated(address: string, repetition: Repetition, name: string, facts: Facts): readonly Referable[] {
  const missing = emptyText(facts.kind);
  switch (repetition) {
    case "single":
      return [{ ...facts, text: `${address}.${name}` }];
    case "enabled":
      return [{ ...facts, text: `try(${address}.${name}, ${missing})` }];
    case "count":
      return [
        { ...facts, text: `${address}[*].${name}`, kind: { list: facts.kind } },
        { ...facts, text: `try(${address}[0].${name}, ${missing})` },
      ];
    default:
      return [
        { ...facts, text: `{ for key, one in ${address} : key => one.${name} }`, kind: { map: facts.kind } },
        { ...facts, text: `[for one in ${address} : one.${name}]`, kind: { list: facts.kind } },
        { ...facts, text: `try(${address}["a"].${name}, ${missing})` },
      ];
  }
}

function emptyText(kind: Kind): string {
  if (kind === "string") return '"none"';
  if (kind === "number") return "0";
  if (kind === "bool") return "false";
  return "null";
}

/** Whether a variable or output is sensitive. */
export function isSensitive(block: Block): boolean {
  return block.entries.some((entry) => !isBlock(entry) && entry.name === "sensitive");
}

/** Makes a variable or output sensitive. An output is then not deprecated: see `marks-of-deprecated-outputs`. */
export function setSensitive(block: Block): void {
  const deprecation = block.entries.findIndex((entry) => !isBlock(entry) && entry.name === "deprecated");
  if (deprecation !== -1) block.entries.splice(deprecation, 1);
  if (!isSensitive(block)) block.entries.push({ name: "sensitive", expression: "true" });
}
