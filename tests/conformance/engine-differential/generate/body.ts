// SPDX-License-Identifier: Apache-2.0
// The arguments and nested blocks of a resource.
import { isBlock, type Block, type Entry, type Slot } from "./block.ts";
import type { Draft } from "./draft.ts";
import type { Referable } from "./expression.ts";
import type { Kind } from "./kind.ts";
import type { Item, Module } from "./module.ts";
import type { TypeAttribute, TypeBlock } from "./resource-types.ts";
import { writeAttribute } from "./scope.ts";

/** A block to fill, and where it is. */
export interface BodyPlace {
  readonly module: Module;
  /** The resource; undefined where the block may refer to all items of the module. */
  readonly item?: Item;
  /** What the block can refer to beside the items of the module. */
  readonly more?: readonly Referable[];
  readonly isNested?: boolean;
}

/** Fills a block with attributes and nested blocks of its type. */
export function fillBody(
  draft: Draft,
  block: Block,
  { attributes, blocks }: { readonly attributes: readonly TypeAttribute[]; readonly blocks: readonly TypeBlock[] },
  place: BodyPlace,
): void {
  const { random, constructs } = draft;
  const { module, item, more = [], isNested = false } = place;
  const density = attributes.length > 15 ? 0.25 : 0.5;
  for (const { name, kind, use, choices, writeOnly = false, isDeprecated = false } of attributes) {
    if (use !== "required" && !(use === "optional" && random.chance(density))) continue;
    const isNull = use === "optional" && random.chance(0.04);
    const slot: Slot = {
      kind,
      ...(isNested && { fixed: true }),
      ...(use === "required" && { nonNull: true }),
      ...(choices && { choices }),
      ...(writeOnly && { ephemeral: true }),
    };
    if (writeOnly) constructs.add("write-only attribute");
    if (isDeprecated) constructs.add("deprecated attribute");
    block.entries.push(isNull ? { name, expression: "null", slot } : writeAttribute(draft, module, item, name, slot, more));
  }
  for (const type of blocks) {
    for (const _ of Array(random.int((type.max ?? 2) + 1)).keys()) {
      if (type.max !== 1 && random.chance(0.35)) block.entries.push(dynamicBlock(draft, type, place));
      else {
        constructs.add(isNested ? "block in a block" : "block");
        const inner: Block = { header: type.name, entries: [] };
        fillBody(draft, inner, type, { ...place, isNested: true });
        block.entries.push(inner);
      }
    }
  }
}

function dynamicBlock(draft: Draft, type: TypeBlock, place: BodyPlace): Block {
  const { random } = draft;
  const { module, item, more = [] } = place;
  draft.constructs.add("dynamic block");
  const kind: Kind = random.pick([{ list: "string" }, { map: "string" }, { set: "string" }] as const);
  const content: Block = { header: "content", entries: [] };
  const entries: Entry[] = [writeAttribute(draft, module, item, "for_each", { kind, open: true, fixed: true, nonNull: true }, more)];
  const iterator = random.chance(0.3) ? draft.name("i") : type.name;
  if (iterator !== type.name) entries.push({ name: "iterator", expression: iterator });
  const value: Referable = { text: `${iterator}.value`, kind: "string", known: false, sensitive: false, isRandom: false };
  fillBody(draft, content, type, { ...place, more: [...more, value, value], isNested: true });
  // The content refers to the iterator, which other places do not have.
  freeze(content);
  entries.push(content);
  return { header: `dynamic "${type.name}"`, entries };
}

/** Makes the expressions of a block fixed. */
function freeze(block: Block): void {
  const frozen = block.entries.map((entry) => (isBlock(entry) ? entry : { name: entry.name, expression: entry.expression }));
  block.entries.splice(0, block.entries.length, ...frozen);
  for (const entry of block.entries) if (isBlock(entry)) freeze(entry);
}
