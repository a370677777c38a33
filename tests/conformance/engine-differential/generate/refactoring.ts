// SPDX-License-Identifier: Apache-2.0
// `moved`, `removed` and `import` blocks.
import { fillBody } from "./body.ts";
import { attributesOf, isBlock, type Block, type Entry } from "./block.ts";
import type { Draft } from "./draft.ts";
import { setExports } from "./exports.ts";
import { renameIn, type Item, type Module } from "./module.ts";
import { repetitionOf } from "./repetition.ts";
import { drop } from "./repair.ts";

/** Renames a resource or call, with a `moved` block or without one. */
export function rename(draft: Draft): boolean {
  const { random } = draft;
  const module = draft.anyModule();
  const items = module.items.filter(({ sort }) => sort === "resource" || sort === "call");
  if (items.length === 0) return false;
  const item = random.pick(items);
  const to = draft.name(item.sort === "call" ? "c" : "r");
  const ids = [...attributesOf(item.block)]
    .filter(({ name }) => name === "id" || name === "prefix" || name === item.type?.nameAttribute)
    .map((one) => [one, one.expression] as const);
  for (const one of module.items) {
    if (one.sort !== "refactoring") renameIn(one, item.id, to);
    one.exports = one.exports.map((exported) => ({
      ...exported,
      text: exported.text.replaceAll(new RegExp(`\\b${item.id}\\b`, "g"), to),
    }));
  }
  const isMoved = random.chance(0.85);
  // The remote object keeps its id.
  if (isMoved) for (const [attribute, expression] of ids) attribute.expression = expression;
  const at = module.items.indexOf(item);
  module.items[at] = { ...item, id: to, block: { ...item.block, header: item.block.header.replace(`"${item.id}"`, `"${to}"`) } };
  if (isMoved) {
    draft.constructs.add(item.sort === "call" ? "moved module" : "moved");
    const entries: Entry[] = [
      { name: "from", expression: addressIn(item, item.id) },
      { name: "to", expression: addressIn(item, to) },
    ];
    addBlock(draft, module, { header: "moved", entries });
  }
  return true;
}

/** Adds a `removed` block for an item that was removed. */
export function addRemoved(draft: Draft, module: Module, item: Item, destroy: boolean): void {
  draft.constructs.add(destroy ? "removed" : "removed without destruction");
  const lifecycle: Block = { header: "lifecycle", entries: [{ name: "destroy", expression: String(destroy) }] };
  addBlock(draft, module, { header: "removed", entries: [{ name: "from", expression: addressIn(item, item.id) }, lifecycle] });
}

/** A resource whose objects were forgotten, and the names of its objects. */
export interface ForgottenResource {
  readonly item: Item;
  /** The argument that names an object: `id`, or the attribute that no two objects may share. */
  readonly nameAttribute: string;
}

/** Removes a resource of the root module but keeps its objects, so that they can be imported. */
export function forget(draft: Draft): ForgottenResource | undefined {
  const candidates = draft.root.items.flatMap((item): readonly ForgottenResource[] => {
    const { sort, type, repetition, block } = item;
    if (sort !== "resource" || (repetition !== "single" && repetition !== "each")) return [];
    if (repetition === "each" && repetitionOf(block)?.expression.startsWith('toset(["') !== true) return [];
    const nameAttribute = type!.name === "framework_record" ? "name" : type!.hasId ? "id" : undefined;
    const isNamed = block.entries.some((entry) => !isBlock(entry) && entry.name === nameAttribute);
    return nameAttribute === undefined || !isNamed ? [] : [{ item, nameAttribute }];
  });
  if (candidates.length === 0) return undefined;
  const forgotten = draft.random.pick(candidates);
  drop(draft, draft.root, forgotten.item);
  addRemoved(draft, draft.root, forgotten.item, false);
  return forgotten;
}

/** Adds a resource with an `import` block for the objects of a forgotten one. A few of these objects do not exist. */
export function addImport(draft: Draft, { item: { type, block: former, repetition }, nameAttribute }: ForgottenResource): void {
  const { random, constructs, root } = draft;
  const id = draft.name("r");
  const isRepeated = repetition === "each";
  const named = former.entries.find((entry) => !isBlock(entry) && entry.name === nameAttribute);
  const objectName = random.chance(0.06) ? '"absent"' : named === undefined || isBlock(named) ? '""' : named.expression;
  const forEach: readonly Entry[] = isRepeated ? [{ name: "for_each", expression: repetitionOf(former)!.expression }] : [];
  const block: Block = {
    header: `resource "${type!.name}" "${id}"`,
    entries: [...forEach, { name: nameAttribute, expression: objectName }],
  };
  const item: Item = { id, sort: "resource", type: type!, repetition: repetition!, block, exports: [] };
  fillBody(draft, block, { attributes: type!.attributes, blocks: [] }, { module: root });
  setExports(draft, item);
  root.items.push(item);
  // The id of a record is its kind and a hash of its name.
  const isRecord = nameAttribute === "name";
  const kind = former.entries.flatMap((entry) => (!isBlock(entry) && entry.name === "kind" ? entry.expression : []))[0];
  const prefix = kind === undefined || kind === "null" ? "plain" : (JSON.parse(kind) as string);
  const importId = isRecord ? `"${prefix}-\${substr(sha256(${objectName}), 0, 8)}"` : objectName;
  const byIdentity = isRecord && random.chance(0.5);
  if (isRepeated) constructs.add("import with for_each");
  constructs.add(byIdentity ? "import by identity" : "import");
  addBlock(draft, root, {
    header: "import",
    entries: [
      ...forEach,
      { name: "to", expression: `${type!.name}.${id}${isRepeated ? "[each.key]" : ""}` },
      byIdentity ? { name: "identity", expression: `{ id = ${importId} }` } : { name: "id", expression: importId },
    ],
  });
}

/** Removes blocks that have had their effect: moves, imports and removals. */
export function settleRefactoring({ modules }: Draft): void {
  for (const { items } of modules) {
    for (let index = items.length - 1; index >= 0; index--) if (items[index]!.sort === "refactoring") items.splice(index, 1);
  }
}

function addressIn(item: Item, id: string): string {
  return item.sort === "call" ? `module.${id}` : `${item.type!.name}.${id}`;
}

function addBlock(draft: Draft, module: Module, block: Block): void {
  module.items.push({ id: draft.name("x"), sort: "refactoring", block, exports: [] });
}
