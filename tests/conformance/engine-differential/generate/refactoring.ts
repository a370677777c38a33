// SPDX-License-Identifier: Apache-2.0
// `moved`, `removed` and `import` blocks.
import { fillBody } from "./body.ts";
import { attributesOf, isBlock, type Block, type Entry } from "./block.ts";
import type { Draft } from "./draft.ts";
import { setRepetition } from "./change.ts";
import { objectId, setExports } from "./exports.ts";
import { renameIn, type Item, type Module } from "./module.ts";
import { eachKeys, repetitionOf } from "./repetition.ts";
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
  for (const [attribute, expression] of ids) {
    // The remote object keeps its id.
    if (isMoved) attribute.expression = expression;
    // A name of another item, from an import or an earlier move: two objects of one name would be destroyed and created at the same time.
    else if (attribute.expression === expression && attribute.slot === undefined)
      attribute.expression = objectId(module, to, item.repetition ?? "single");
  }
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

/** Gives the instances of a resource other keys, with `moved` blocks: from numbers to texts, from one object to several, and back. */
export function rekey(draft: Draft): boolean {
  const { random } = draft;
  const module = draft.anyModule();
  const items = module.items.filter(({ sort, repetition }) => sort === "resource" && repetition !== "enabled");
  if (items.length === 0) return false;
  const item = random.pick(items);
  const before = keysOf(item);
  const repetition = random.weighted([
    [3, "each"],
    [item.repetition === "each" ? 2 : 0, "count"],
    [item.repetition === "single" ? 0 : 1, "single"],
  ] as const);
  const chosen = eachKeys.filter(() => random.chance(0.5));
  const keys: readonly (string | undefined)[] =
    repetition === "each" ? chosen.map((key) => JSON.stringify(key)) : repetition === "count" ? ["0", "1"] : [undefined];
  const expression = { each: `toset(${JSON.stringify(chosen)})`, count: "2", single: undefined }[repetition];
  setRepetition(draft, module, item, repetition, expression);
  draft.constructs.add("moved instance");
  const left = [...keys];
  for (const key of before) {
    if (keys.includes(key) || left.length === 0) continue;
    const [to] = left.splice(random.int(left.length), 1);
    const at = (one: string | undefined): string => `${addressIn(item, item.id)}${one === undefined ? "" : `[${one}]`}`;
    const entries: Entry[] = [
      { name: "from", expression: at(key) },
      { name: "to", expression: at(to) },
    ];
    addBlock(draft, module, { header: "moved", entries });
  }
  return true;
}

/** The keys of a resource's instances, as far as its block tells them: expressions, or undefined for an instance without a key. */
function keysOf({ block, repetition }: Item): readonly (string | undefined)[] {
  if (repetition === "count") return ["0", "1"];
  if (repetition !== "each") return [undefined];
  const { expression } = repetitionOf(block)!;
  return expression.startsWith("toset([") ? [...expression.matchAll(/"[^"]*"/g)].map(([key]) => key) : ['"a"', '"b"'];
}

/** Moves a resource of the root module into a module that it calls once. */
export function moveIntoModule(draft: Draft): boolean {
  const { root, random, constructs } = draft;
  const items = root.items.filter(({ sort, repetition, type }) => sort === "resource" && repetition === "single" && type!.hasId);
  const calls = root.items.filter(({ sort, repetition }) => sort === "call" && repetition === "single");
  if (items.length === 0 || calls.length === 0) return false;
  const [item, call] = [random.pick(items), random.pick(calls)];
  const module = draft.called(call.module!);
  drop(draft, root, item);
  // What referred to the resource can have been the arguments of the call, which stay.
  const block: Block = { header: item.block.header, entries: [{ name: "id", expression: objectId(module, item.id, "single") }] };
  const moved: Item = { ...item, block, exports: [] };
  fillBody(draft, block, item.type!, { module });
  setExports(draft, moved);
  module.items.push(moved);
  constructs.add("moved into a module");
  const entries: Entry[] = [
    { name: "from", expression: addressIn(item, item.id) },
    { name: "to", expression: `module.${call.id}.${addressIn(item, item.id)}` },
  ];
  addBlock(draft, root, { header: "moved", entries });
  return true;
}

/** Adds a `removed` block for an item that was removed, in its module or in the root module that calls it. */
export function addRemoved(draft: Draft, module: Module, item: Item, destroy: boolean): void {
  draft.constructs.add(destroy ? "removed" : "removed without destruction");
  const calls = draft.root.items.filter((one) => one.sort === "call" && one.module === module.name);
  const isFromRoot = calls.length > 0 && draft.random.chance(0.5);
  for (const prefix of isFromRoot ? calls.map(({ id }) => `module.${id}.`) : [""]) {
    const lifecycle: Block = { header: "lifecycle", entries: [{ name: "destroy", expression: String(destroy) }] };
    const entries = [{ name: "from", expression: `${prefix}${addressIn(item, item.id)}` }, lifecycle];
    addBlock(draft, isFromRoot ? draft.root : module, { header: "removed", entries });
  }
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
  // Instances with the same name would be created at the same time.
  const absent = isRepeated ? '"absent-${each.key}"' : '"absent"';
  const objectName = random.chance(0.06) ? absent : named === undefined || isBlock(named) ? '""' : named.expression;
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
