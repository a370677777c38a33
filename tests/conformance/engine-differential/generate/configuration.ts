// SPDX-License-Identifier: Apache-2.0
// Makes configurations, and changes them from step to step.
import type { Random } from "../../cty/random.ts";
import { attributesOf, isBlock, mentions, printBlock, type Attribute, type Block, type Entry, type Slot } from "./block.ts";
import { ExpressionWriter, type Expression, type Referable } from "./expression.ts";
import { basicKinds, typeOf, type Kind } from "./kind.ts";
import { removeFixedMentions, renameIn, usesItem, type Item, type Module, type ModuleOutput, type Repetition } from "./module.ts";
import type { PeerProvider } from "./peer-types.ts";
import type { ResourceType, TypeAttribute, TypeBlock } from "./resource-types.ts";

const eachKeys = ["a", "b", "c", "key one"];

/** A configuration that grows and changes. */
export class ConfigurationMaker {
  readonly #random: Random;
  readonly #types: readonly ResourceType[];
  readonly #peers: readonly PeerProvider[];
  readonly modules: Module[] = [];
  /** Names of the constructs that the case has, for the distribution. */
  readonly constructs: Set<string> = new Set();
  #next = 0;

  /** @param peers Providers that the case uses beside the tfcoremock example. */
  constructor(random: Random, types: readonly ResourceType[], peers: readonly PeerProvider[]) {
    this.#random = random;
    this.#peers = peers;
    this.#types = [...types, ...peers.flatMap((peer) => peer.types)];
    for (const { name } of peers) this.constructs.add(`${name} provider`);
    const root: Module = { name: "", items: [] };
    this.modules.push(root);
    root.items.push(this.#requirements(), this.#provider(""));
    if (random.chance(0.3)) root.items.push(this.#provider("other"));
    for (const peer of peers) root.items.push(...this.#peerProvider(peer));
    const inner = random.weighted([
      [3, 0],
      [4, 1],
      [3, 2],
    ] as const);
    for (const index of Array(inner).keys()) this.#makeModule(`m${index}`);
    this.#fill(root, 3 + random.int(6));
    for (let tries = 0; tries < 4 && this.#unused().length > 0; tries++) this.#addCall(root, this.#unused()[0]!);
    this.#addOutputs(root, 1 + random.int(3));
    if (random.chance(0.25)) this.#addCheck(root);
  }

  get root(): Module {
    return this.modules[0]!;
  }

  /** Adds a resource, local value, data source or call to a module. */
  grow(): void {
    this.#fill(this.#anyModule(), 1 + this.#random.int(2));
  }

  /** Replaces some expressions. */
  edit(): void {
    const random = this.#random;
    const module = this.#anyModule();
    const items = module.items.filter(({ sort }) => sort === "resource" || sort === "local" || sort === "variable" || sort === "output");
    for (const item of items) {
      if (!random.chance(0.5)) continue;
      for (const attribute of attributesOf(item.block)) {
        if (attribute.slot !== undefined && random.chance(0.5)) this.#rewrite(module, item, attribute);
      }
    }
  }

  /** Changes how often a resource or module exists. */
  repeat(): boolean {
    const random = this.#random;
    const module = this.#anyModule();
    const items = module.items.filter(({ sort, block }) => (sort === "resource" || sort === "call") && repetitionOf(block) !== undefined);
    if (items.length === 0) return false;
    const item = random.pick(items);
    const attribute = repetitionOf(item.block)!;
    attribute.expression = attribute.name === "count" ? this.#count() : this.#eachSet(module, item);
    return true;
  }

  /** Removes an item and what mentions it. */
  remove(): boolean {
    const module = this.#anyModule();
    const items = module.items.filter(({ sort }) => ["resource", "call", "data", "ephemeral"].includes(sort));
    if (items.length === 0) return false;
    const item = this.#random.pick(items);
    this.#drop(module, item);
    if (item.sort !== "data" && item.sort !== "ephemeral" && item.type?.provider !== undefined && this.#random.chance(0.4))
      this.#addRemoved(module, item);
    return true;
  }

  /** Renames a resource or call, with a `moved` block or without one. */
  rename(): boolean {
    const random = this.#random;
    const module = this.#anyModule();
    const items = module.items.filter(({ sort }) => sort === "resource" || sort === "call");
    if (items.length === 0) return false;
    const item = random.pick(items);
    const to = this.#name(item.sort === "call" ? "c" : "r");
    const address = (id: string): string => (item.sort === "call" ? `module.${id}` : `${item.type!.name}.${id}`);
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
      this.constructs.add("moved");
      const moved: Block = {
        header: "moved",
        entries: [
          { name: "from", expression: address(item.id) },
          { name: "to", expression: address(to) },
        ],
      };
      module.items.push({ id: this.#name("x"), sort: "refactoring", block: moved, exports: [] });
    }
    return true;
  }

  /** Makes a single resource counted, or the other way round: a move that the core finds itself. */
  toggleCount(): boolean {
    const random = this.#random;
    const module = this.#anyModule();
    const items = module.items.filter(({ sort, repetition }) => sort === "resource" && repetition !== "each");
    if (items.length === 0) return false;
    const item = random.pick(items);
    this.constructs.add("implied move");
    const at = item.block.entries.findIndex((entry) => !isBlock(entry) && entry.name === "count");
    if (at >= 0) {
      item.block.entries.splice(at, 1);
      item.repetition = "single";
    } else {
      item.block.entries.unshift({ name: "count", expression: String(1 + random.int(2)) });
      item.repetition = "count";
    }
    const names = new Set(["id", item.type!.nameAttribute]);
    for (const attribute of attributesOf(item.block)) {
      if (attribute.slot !== undefined && attribute.expression.includes("count.index")) this.#rewrite(module, item, attribute);
      else if (names.has(attribute.name) && attribute.slot === undefined) attribute.expression = objectId(module, item.id, item.repetition);
    }
    if (item.repetition === "single") removeFixedMentions(item.block, "count.index");
    this.#setExports(item);
    this.#repair(module, item.id);
    return true;
  }

  /** Changes the lifecycle of a resource. */
  changeLifecycle(): boolean {
    const module = this.#anyModule();
    const items = module.items.filter(({ sort }) => sort === "resource");
    if (items.length === 0) return false;
    const item = this.#random.pick(items);
    const at = item.block.entries.findIndex((entry) => isBlock(entry) && entry.header === "lifecycle");
    if (at >= 0) item.block.entries.splice(at, 1);
    const lifecycle = this.#lifecycle(module, item);
    if (lifecycle !== undefined) item.block.entries.push(lifecycle);
    return true;
  }

  /** Adds an `import` block with a new resource for an object that exists. */
  addImport(id: string): void {
    const record = this.#types.find(({ name }) => name === "framework_record");
    const isRecord = record !== undefined && this.#random.chance(0.5);
    const type = isRecord ? record : this.#types.find(({ name }) => name === "tfcoremock_simple_resource")!;
    const name = this.#name("r");
    const isRepeated = this.#random.chance(0.2);
    const entries: Entry[] = isRepeated ? [{ name: "for_each", expression: 'toset(["a", "b"])' }] : [];
    const objectName = isRepeated ? `"${id}-\${each.key}"` : JSON.stringify(id);
    entries.push({ name: isRecord ? "name" : "id", expression: objectName });
    const item: Item = {
      id: name,
      sort: "resource",
      type,
      repetition: isRepeated ? "each" : "single",
      block: { header: `resource "${type.name}" "${name}"`, entries },
      exports: [],
    };
    this.#fillBody(this.root, item.block, type.attributes, []);
    this.#setExports(item);
    this.root.items.push(item);
    // The id of a record is its kind and a hash of its name.
    const importId = isRecord ? `"plain-\${substr(sha256(${objectName}), 0, 8)}"` : objectName;
    const block: Block = {
      header: "import",
      entries: [
        ...(isRepeated ? [{ name: "for_each", expression: 'toset(["a", "b"])' }] : []),
        { name: "to", expression: `${type.name}.${name}${isRepeated ? "[each.key]" : ""}` },
        isRecord && this.#random.chance(0.5)
          ? { name: "identity", expression: `{ id = ${importId} }` }
          : { name: "id", expression: importId },
      ],
    };
    if (isRepeated) this.constructs.add("import with for_each");
    if (block.entries.some((entry) => !isBlock(entry) && entry.name === "identity")) this.constructs.add("import by identity");
    this.root.items.push({ id: this.#name("x"), sort: "refactoring", block, exports: [] });
    this.constructs.add("import");
  }

  /** Makes operations of the provider fail for some objects. */
  fail(operation: string, ids: readonly string[]): void {
    const provider = this.root.items.find(({ sort, block }) => sort === "provider" && block.header.startsWith("provider"))!;
    provider.block.entries.push({ name: `fail_on_${operation}`, expression: JSON.stringify(ids) });
  }

  /** Ends what {@link fail} began. */
  succeed(): void {
    for (const { sort, block } of this.root.items) {
      if (sort !== "provider") continue;
      const kept = block.entries.filter((entry) => isBlock(entry) || !entry.name.startsWith("fail_on"));
      block.entries.splice(0, block.entries.length, ...kept);
    }
  }

  /** Removes blocks that have had their effect: moves, imports and removals. */
  settle(): void {
    for (const { items } of this.modules) {
      for (let index = items.length - 1; index >= 0; index--) if (items[index]!.sort === "refactoring") items.splice(index, 1);
    }
  }

  /** Ids that objects of the root module probably have. */
  probableIds(): readonly string[] {
    return this.root.items.filter(({ sort }) => sort === "resource").flatMap(({ id }) => [id, `${id}-0`, `${id}-a`, `${id}-b`]);
  }

  #name(prefix: string): string {
    return `${prefix}${this.#next++}`;
  }

  #anyModule(): Module {
    return this.#random.chance(0.65) ? this.root : this.#random.pick(this.modules);
  }

  #requirements(): Item {
    const required: Block = { header: "required_providers", entries: [] };
    for (const provider of new Set(this.#types.flatMap(({ provider }) => provider ?? [])))
      required.entries.push({ name: provider, expression: `{ source = "${this.#source(provider)}" }` });
    return { id: "terraform", sort: "provider", block: { header: "terraform", entries: [required] }, exports: [] };
  }

  #provider(alias: string): Item {
    const entries: Entry[] = [
      ...(alias === "" ? [] : [{ name: "alias", expression: JSON.stringify(alias) }]),
      { name: "resource_directory", expression: '"${path.cwd}/objects"' },
      { name: "data_directory", expression: '"${path.cwd}/objects"' },
    ];
    if (alias !== "") this.constructs.add("provider alias");
    return { id: alias === "" ? "default" : alias, sort: "provider", block: { header: 'provider "tfcoremock"', entries }, exports: [] };
  }

  #source(provider: string): string {
    return this.#peers.find(({ name }) => name === provider)?.source ?? `hashicorp/${provider}`;
  }

  /** The configuration of a Go provider, and an ephemeral variable that it may refer to. */
  #peerProvider({ name, folder, secret }: PeerProvider): readonly Item[] {
    const entries: Entry[] = folder === undefined ? [] : [{ name: folder, expression: `"\${path.cwd}/objects/${name}"` }];
    const items: Item[] = [];
    if (secret !== undefined && this.#random.chance(0.6)) {
      const variable = this.#variable("string", { inChild: false, isEphemeral: true });
      items.push(variable);
      if (this.#random.chance(0.6)) entries.push({ name: secret, expression: `var.${variable.id}` });
    }
    return [...items, { id: name, sort: "provider", block: { header: `provider "${name}"`, entries }, exports: [] }];
  }

  /** Whether the case has something ephemeral. */
  #hasEphemeral(): boolean {
    return this.#peers.some(({ ephemeral }) => ephemeral !== undefined);
  }

  #hasAlias(): boolean {
    return this.root.items.some(({ id }) => id === "other");
  }

  #makeModule(name: string): void {
    const module: Module = { name, items: [this.#requirements()] };
    this.constructs.add("module");
    module.items.push(this.#variable("string", { name: "prefix", inChild: true }));
    for (const _ of Array(this.#random.int(3)).keys()) module.items.push(this.#variable(this.#kind(), { inChild: true }));
    if (this.#hasEphemeral() && this.#random.chance(0.5)) module.items.push(this.#variable("string", { inChild: true, isEphemeral: true }));
    this.modules.push(module);
    this.#fill(module, 1 + this.#random.int(3));
    this.#addOutputs(module, 1 + this.#random.int(2));
  }

  /** Modules that nothing calls. */
  #unused(): readonly Module[] {
    const called = new Set(this.modules.flatMap(({ items }) => items.map(({ module }) => module)));
    return this.modules.filter(({ name }) => name !== "" && !called.has(name));
  }

  #kind(): Kind {
    const random = this.#random;
    const basic = random.pick(basicKinds);
    return random.weighted<Kind>([
      [5, basic],
      [1, { list: basic }],
      [1, { set: basic }],
      [1, { map: basic }],
      [1, { object: { name: "string", size: "number", tags: { map: "string" } }, optional: ["size"] }],
    ]);
  }

  #fill(module: Module, count: number): void {
    const random = this.#random;
    for (const _ of Array(count).keys()) {
      const sort = random.weighted([
        [5, "resource"],
        [2, "local"],
        [module.name === "" ? 1 : 0, "variable"],
        [1, "data"],
        [1, "call"],
        [this.#hasEphemeral() ? 2 : 0, "ephemeral"],
      ] as const);
      if (sort === "resource") this.#addResource(module);
      else if (sort === "local") this.#addLocal(module);
      else if (sort === "variable") module.items.push(this.#variable(this.#kind(), { inChild: false }));
      else if (sort === "data") this.#addData(module);
      else if (sort === "ephemeral") this.#addEphemeral(module);
      else {
        const callable = this.modules.filter(({ name }) => name > module.name && name !== "");
        if (callable.length > 0) this.#addCall(module, random.pick(callable));
      }
    }
  }

  #scope(module: Module, item?: Item): readonly Referable[] {
    const at = item === undefined ? module.items.length : module.items.indexOf(item);
    const before = module.items.slice(0, at === -1 ? module.items.length : at).flatMap((one) => one.exports);
    const known = { known: true, sensitive: false, isRandom: false } as const;
    const own: Referable[] =
      item?.repetition === "count"
        ? [{ text: "count.index", kind: "number", ...known }]
        : item?.repetition === "each"
          ? [
              { text: "each.key", kind: "string", ...known },
              { text: "each.value", kind: "string", ...known },
            ]
          : [];
    return [...before, ...own, ...own];
  }

  #write(module: Module, item: Item | undefined, slot: Slot, more: readonly Referable[] = []): Expression {
    return new ExpressionWriter(this.#random, [...this.#scope(module, item), ...more]).write(slot);
  }

  #attribute(module: Module, item: Item | undefined, name: string, slot: Slot, more: readonly Referable[] = []): Attribute {
    return { name, expression: this.#write(module, item, slot, more).text, slot };
  }

  #rewrite(module: Module, item: Item, attribute: Attribute): void {
    const isStatic = item.sort === "variable";
    const slot = isStatic ? attribute.slot! : { ...attribute.slot! };
    const written = isStatic ? new ExpressionWriter(this.#random, []).write({ ...slot, known: true }) : this.#write(module, item, slot);
    attribute.expression = isStatic ? staticText(this.#random, slot.kind) : written.text;
    if (item.sort === "local")
      item.exports = item.exports.map((one) => ({
        ...one,
        known: written.known,
        sensitive: written.sensitive,
        isRandom: written.isRandom,
        ephemeral: written.ephemeral,
      }));
    if (item.sort === "local" || item.sort === "output") this.#spread(module, item, written);
  }

  /** What a changed local value may not do to those that use it: rewrites all of them. */
  #spread(module: Module, item: Item, { sensitive }: Expression): void {
    if (item.sort === "output") {
      setSensitive(item.block, sensitive || isSensitive(item.block));
      return;
    }
    this.#repair(module, item.id);
  }

  #variable(
    kind: Kind,
    { name, inChild, isEphemeral = false }: { readonly name?: string; readonly inChild: boolean; readonly isEphemeral?: boolean },
  ): Item {
    const random = this.#random;
    const id = name ?? this.#name("v");
    const sensitive = name === undefined && random.chance(0.15);
    const entries: Entry[] = [{ name: "type", expression: typeOf(kind) }];
    if (!inChild || random.chance(0.3))
      entries.push({ name: "default", expression: staticText(random, kind), slot: { kind, known: true } });
    if (sensitive) entries.push({ name: "sensitive", expression: "true" });
    if (sensitive) this.constructs.add("sensitive");
    if (isEphemeral) entries.push({ name: "ephemeral", expression: "true" });
    if (isEphemeral) this.constructs.add("ephemeral variable");
    if (random.chance(0.1)) entries.push({ name: "nullable", expression: "false" });
    if (random.chance(0.15)) {
      this.constructs.add("validation");
      entries.push({
        header: "validation",
        entries: [
          { name: "condition", expression: random.pick([`var.${id} != null`, `length(jsonencode(var.${id})) < 40`]) },
          { name: "error_message", expression: '"The value is not valid."' },
        ],
      });
    }
    // An argument of a module may be anything.
    const known = !inChild || name !== undefined;
    return {
      id,
      sort: "variable",
      block: { header: `variable "${id}"`, entries },
      exports: [
        {
          text: `var.${id}`,
          kind,
          known,
          sensitive,
          ephemeral: isEphemeral,
          isRandom: inChild && name === undefined,
          nullable: inChild && name === undefined,
        },
        ...(typeof kind !== "string" && "object" in kind
          ? [{ text: `var.${id}.name`, kind: "string", known, sensitive, isRandom: inChild } as const]
          : []),
      ],
    };
  }

  #addLocal(module: Module): void {
    const id = this.#name("l");
    const slot: Slot = { kind: this.#kind(), ...(this.#hasEphemeral() && this.#random.chance(0.3) && { ephemeral: true }) };
    const written = this.#write(module, undefined, slot);
    this.constructs.add("local");
    if (written.ephemeral) this.constructs.add("ephemeral local");
    module.items.push({
      id,
      sort: "local",
      block: { header: "locals", entries: [{ name: id, expression: written.text, slot }] },
      exports: [
        {
          text: `local.${id}`,
          kind: slot.kind,
          known: written.known,
          sensitive: written.sensitive,
          isRandom: written.isRandom,
          ephemeral: written.ephemeral,
          nullable: true,
        },
      ],
    });
  }

  #repetition(module: Module, entries: Entry[]): Repetition {
    const repetition = this.#random.weighted([
      [6, "single"],
      [2, "count"],
      [3, "each"],
    ] as const);
    if (repetition === "count") entries.push({ name: "count", expression: this.#count() });
    if (repetition === "each") entries.push({ name: "for_each", expression: this.#eachSet(module) });
    if (repetition !== "single") this.constructs.add(repetition === "count" ? "count" : "for_each");
    return repetition;
  }

  #count(): string {
    return this.#random.pick(["0", "1", "2", "3", "length([1, 2])", "true ? 2 : 1"]);
  }

  #eachSet(module: Module, item?: Item): string {
    const random = this.#random;
    const chosen = eachKeys.filter(() => random.chance(0.5));
    const wantsAny = random.chance(0.06);
    if (random.chance(0.5)) return `toset(${JSON.stringify(chosen)})`;
    if (random.chance(0.7)) {
      const single = item === undefined ? undefined : { ...item, repetition: "single" as const };
      const value = (): string => new ExpressionWriter(random, this.#scope(module, single)).write({ kind: "string", open: true }, 1).text;
      return `{ ${chosen.map((key) => `"${key}" = ${value()}`).join(", ")} }`;
    }
    return new ExpressionWriter(
      random,
      this.#scope(module, item).filter(({ text }) => !/^(each|count)\./.test(text)),
    ).write({ kind: { set: "string" }, open: true, known: !wantsAny }, 1).text;
  }

  #addResource(module: Module): void {
    const random = this.#random;
    const type = random.pick(random.chance(0.25) ? this.#types.filter(({ hasId }) => !hasId) : this.#types);
    const id = this.#name("r");
    const entries: Entry[] = [];
    const repetition = this.#repetition(module, entries);
    const item: Item = {
      id,
      sort: "resource",
      type,
      repetition,
      block: { header: `resource "${type.name}" "${id}"`, entries },
      exports: [],
    };
    this.constructs.add(/^tfcoremock_t\d/.test(type.name) ? "declared type" : type.name);
    if (this.#hasAlias() && module.name === "" && type.provider === "tfcoremock" && random.chance(0.3))
      entries.push({ name: "provider", expression: "tfcoremock.other" });
    if (type.nameAttribute !== undefined) entries.push({ name: type.nameAttribute, expression: objectId(module, id, repetition) });
    if (type.hasId && random.chance(0.85)) entries.push({ name: "id", expression: objectId(module, id, repetition) });
    this.#fillBody(module, item.block, type.attributes, type.blocks, item);
    if (random.chance(0.12)) this.#addDependsOn(module, entries);
    if (random.chance(0.04)) {
      this.constructs.add("provisioner");
      const when = random.chance(0.4) ? [{ name: "when", expression: "destroy" }] : [];
      const onFailure = random.chance(0.3) ? [{ name: "on_failure", expression: "continue" }] : [];
      const command = { name: "command", expression: random.pick(['"true"', '"exit 3"']) };
      entries.push({ header: 'provisioner "local-exec"', entries: [...when, ...onFailure, command] });
    }
    const lifecycle = random.chance(0.4) ? this.#lifecycle(module, item) : undefined;
    if (lifecycle !== undefined) entries.push(lifecycle);
    this.#setExports(item);
    module.items.push(item);
  }

  #addDependsOn(module: Module, entries: Entry[]): void {
    const items = module.items.filter(({ sort }) => sort === "resource" || sort === "call" || sort === "data");
    if (items.length === 0) return;
    this.constructs.add("depends_on");
    entries.push({ name: "depends_on", expression: `[${addressOf(this.#random.pick(items))}]` });
  }

  #addData(module: Module): void {
    const random = this.#random;
    const sources = module.items.filter(({ sort, type, repetition }) => sort === "resource" && type?.isData && repetition === "single");
    if (sources.length === 0) return;
    this.constructs.add("data source");
    const source = random.pick(sources);
    const id = this.#name("d");
    const type = source.type!.dataType ?? source.type!;
    const entries: Entry[] = [{ name: "id", expression: `${addressOf(source)}.id` }];
    if (random.chance(0.2)) this.#addDependsOn(module, entries);
    const item: Item = {
      id,
      sort: "data",
      type,
      repetition: "single",
      block: { header: `data "${type.name}" "${id}"`, entries },
      exports: [],
    };
    this.#setExports(item);
    module.items.push(item);
  }

  #addEphemeral(module: Module): void {
    const type = this.#peers.find(({ ephemeral }) => ephemeral !== undefined)?.ephemeral;
    if (type === undefined) return;
    this.constructs.add("ephemeral resource");
    const id = this.#name("e");
    const entries: Entry[] = [];
    const repetition = this.#repetition(module, entries);
    const sources = module.items.filter(
      (one) => one.sort === "resource" && one.type?.provider === type.provider && one.repetition === "single",
    );
    const isDependent = sources.length > 0 && this.#random.chance(0.4);
    const name = isDependent ? `"${id}-\${${addressOf(this.#random.pick(sources))}.id}"` : objectId(module, id, repetition);
    entries.push({ name: type.nameAttribute!, expression: name });
    if (this.#random.chance(0.1)) this.#addDependsOn(module, entries);
    const item: Item = {
      id,
      sort: "ephemeral",
      type,
      repetition,
      block: { header: `ephemeral "${type.name}" "${id}"`, entries },
      exports: [],
    };
    this.#setExports(item);
    module.items.push(item);
  }

  #addCall(module: Module, called: Module): void {
    const random = this.#random;
    const id = this.#name("c");
    const entries: Entry[] = [
      { name: "source", expression: JSON.stringify(module.name === "" ? `./modules/${called.name}` : `../${called.name}`) },
    ];
    const repetition = this.#repetition(module, entries);
    this.constructs.add(module.name === "" ? "module call" : "nested module call");
    const item: Item = { id, sort: "call", module: called.name, repetition, block: { header: `module "${id}"`, entries }, exports: [] };
    entries.push({ name: "prefix", expression: objectId(module, id, repetition) });
    for (const variable of called.items) {
      if (variable.sort !== "variable" || variable.id === "prefix") continue;
      const { kind, ephemeral = false } = variable.exports[0]!;
      const hasDefault = variable.block.entries.some((entry) => !isBlock(entry) && entry.name === "default");
      if (!hasDefault || random.chance(0.7))
        entries.push(this.#attribute(module, item, variable.id, { kind, ...(ephemeral && { ephemeral }) }));
    }
    if (this.#hasAlias() && module.name === "" && random.chance(0.3)) {
      entries.push({ name: "providers", expression: "{ tfcoremock = tfcoremock.other }" });
    }
    if (random.chance(0.1)) this.#addDependsOn(module, entries);
    this.#setExports(item);
    module.items.push(item);
  }

  #addOutputs(module: Module, count: number): void {
    for (const _ of Array(count).keys()) {
      const id = this.#name("o");
      const ephemeral = module.name !== "" && this.#hasEphemeral() && this.#random.chance(0.3);
      const slot: Slot = { kind: this.#kind(), ...(ephemeral && { ephemeral }) };
      const value = this.#write(module, undefined, slot);
      const entries: Entry[] = [{ name: "value", expression: value.text, slot }];
      if (ephemeral) entries.push({ name: "ephemeral", expression: "true" });
      if (ephemeral) this.constructs.add("ephemeral output");
      const block: Block = { header: `output "${id}"`, entries };
      if (value.sensitive || this.#random.chance(0.1)) setSensitive(block, true);
      if (this.#random.chance(0.1)) this.#addDependsOn(module, entries);
      if (this.#random.chance(0.08)) entries.push(this.#condition(module, undefined, "precondition"));
      this.constructs.add("output");
      module.items.push({
        id,
        sort: "output",
        block,
        exports: [],
      });
    }
  }

  #addCheck(module: Module): void {
    const id = this.#name("k");
    this.constructs.add("check");
    const entries: Entry[] = [];
    const source = module.items.find(({ sort, type, repetition }) => sort === "resource" && type?.isData && repetition === "single");
    if (source !== undefined && this.#random.chance(0.4)) {
      entries.push({ header: `data "${source.type!.name}" "d${id}"`, entries: [{ name: "id", expression: `${addressOf(source)}.id` }] });
    }
    entries.push(this.#condition(module, undefined, "assert"));
    module.items.push({ id, sort: "check", block: { header: `check "${id}"`, entries }, exports: [] });
  }

  #condition(module: Module, item: Item | undefined, header: string, more: readonly Referable[] = []): Block {
    this.constructs.add(header);
    const condition = this.#write(module, item, { kind: "bool" }, more).text;
    const refers = /\b(var|local|module|data|self|each|count)\.|tfcoremock_|terraform_data/.test(condition)
      ? condition
      : `${condition} || terraform.workspace == "x"`;
    const message = this.#random.chance(0.7) ? '"It does not hold."' : this.#write(module, item, { kind: "string", open: true }, more).text;
    return {
      header,
      entries: [
        { name: "condition", expression: this.#random.chance(0.7) ? `(${refers}) || true` : refers },
        { name: "error_message", expression: message.startsWith("<<") ? message : `"Failed: \${${message}}"` },
      ],
    };
  }

  #lifecycle(module: Module, item: Item): Block | undefined {
    const random = this.#random;
    const entries: Entry[] = [];
    const names = item.type!.attributes.filter(({ use }) => use === "optional").map(({ name }) => name);
    if (random.chance(0.3)) entries.push({ name: "create_before_destroy", expression: random.chance(0.8) ? "true" : "false" });
    if (random.chance(0.2) && names.length > 0)
      entries.push({ name: "ignore_changes", expression: random.chance(0.2) ? "all" : `[${random.pick(names)}]` });
    if (random.chance(0.06)) entries.push({ name: "prevent_destroy", expression: "true" });
    const triggers = module.items.filter(({ sort, repetition, id }) => sort === "resource" && repetition === "single" && id !== item.id);
    const at = module.items.indexOf(item);
    const before = triggers.filter((one) => at === -1 || module.items.indexOf(one) < at);
    if (random.chance(0.2) && before.length > 0) {
      const trigger = random.pick(before);
      const attribute = random.chance(0.5) ? `.${random.pick(trigger.type!.attributes).name}` : "";
      entries.push({ name: "replace_triggered_by", expression: `[${addressOf(trigger)}${attribute}]` });
    }
    if (random.chance(0.15)) entries.push(this.#condition(module, item, "precondition"));
    if (random.chance(0.15)) {
      const self = item.type!.attributes.filter(({ kind }) => typeof kind === "string");
      const more = self.map((one) => ({
        text: `self.${one.name}`,
        kind: one.kind,
        known: false,
        sensitive: one.sensitive === true,
        isRandom: true,
      }));
      entries.push(this.#condition(module, item, "postcondition", more));
    }
    for (const entry of entries) if (!isBlock(entry)) this.constructs.add(entry.name);
    return entries.length === 0 ? undefined : { header: "lifecycle", entries };
  }

  #fillBody(
    module: Module,
    block: Block,
    attributes: readonly TypeAttribute[],
    blocks: readonly TypeBlock[],
    item?: Item,
    more: readonly Referable[] = [],
    inBlock = false,
  ): void {
    const random = this.#random;
    const density = attributes.length > 15 ? 0.25 : 0.5;
    for (const { name, kind, use, choices, writeOnly = false } of attributes) {
      if (use === "required" || (use === "optional" && random.chance(density))) {
        const isNull = use === "optional" && random.chance(0.04);
        const slot: Slot = { kind, ...(inBlock && { fixed: true }), ...(choices && { choices }), ...(writeOnly && { ephemeral: true }) };
        if (writeOnly) this.constructs.add("write-only attribute");
        block.entries.push(isNull ? { name, expression: "null", slot } : this.#attribute(module, item, name, slot, more));
      }
    }
    for (const type of blocks) {
      for (const _ of Array(random.int((type.max ?? 2) + 1)).keys()) {
        if (type.max !== 1 && random.chance(0.35)) block.entries.push(this.#dynamicBlock(module, type, item, more));
        else {
          const inner: Block = { header: type.name, entries: [] };
          this.#fillBody(module, inner, type.attributes, type.blocks, item, more, true);
          block.entries.push(inner);
        }
      }
    }
  }

  #dynamicBlock(module: Module, type: TypeBlock, item: Item | undefined, more: readonly Referable[]): Block {
    const random = this.#random;
    this.constructs.add("dynamic block");
    const kind: Kind = random.pick([{ list: "string" }, { map: "string" }, { set: "string" }] as const);
    const content: Block = { header: "content", entries: [] };
    const entries: Entry[] = [this.#attribute(module, item, "for_each", { kind, open: true, fixed: true }, more)];
    const iterator = random.chance(0.3) ? this.#name("i") : type.name;
    if (iterator !== type.name) entries.push({ name: "iterator", expression: iterator });
    const value: Referable = { text: `${iterator}.value`, kind: "string", known: false, sensitive: false, isRandom: false };
    this.#fillBody(module, content, type.attributes, type.blocks, item, [...more, value, value], true);
    // The content refers to the iterator, which other places do not have.
    freeze(content);
    entries.push(content);
    return { header: `dynamic "${type.name}"`, entries };
  }

  #setExports(item: Item): void {
    const { repetition = "single" } = item;
    if (item.sort === "call") {
      const called = this.modules.find(({ name }) => name === item.module)!;
      const outputs: readonly ModuleOutput[] = called.items.flatMap(({ sort, id, block }) => {
        if (sort !== "output") return [];
        const value = block.entries.find((entry) => !isBlock(entry) && entry.name === "value") as Attribute;
        return [
          { name: id, kind: value.slot!.kind, sensitive: isSensitive(block), isRandom: true, ephemeral: value.slot!.ephemeral === true },
        ];
      });
      item.exports = outputs.flatMap(({ name, kind, sensitive, isRandom, ephemeral }) =>
        repeated(`module.${item.id}`, repetition, name, { kind, sensitive, isRandom, ephemeral, known: false, nullable: true }),
      );
      return;
    }
    const address = addressOf(item);
    const exports: Referable[] = [];
    for (const { name, kind, sensitive = false, isRandom = false, writeOnly = false, isDeprecated = false } of item.type!.attributes) {
      if (writeOnly || isDeprecated) continue;
      const isPlain = name !== "id" || item.block.entries.some((entry) => !isBlock(entry) && entry.name === "id");
      const facts = {
        kind,
        sensitive,
        isRandom: (isRandom && !isPlain) || item.sort === "data",
        ephemeral: item.sort === "ephemeral",
        known: false,
        nullable: name !== "id",
      };
      exports.push(...repeated(address, repetition, name, facts));
    }
    item.exports = exports;
  }

  /** Makes the items of a module that mention a changed item valid again. */
  #repair(module: Module, id: string): void {
    for (const item of module.items) {
      if (item.id === id || !usesItem(item, id)) continue;
      if (item.sort === "refactoring") continue;
      removeFixedMentions(item.block, id);
      for (const attribute of attributesOf(item.block)) {
        if (attribute.slot !== undefined && mentions(attribute.expression, id)) this.#rewrite(module, item, attribute);
      }
    }
  }

  #drop(module: Module, item: Item): void {
    module.items.splice(module.items.indexOf(item), 1);
    for (let index = module.items.length - 1; index >= 0; index--) {
      const other = module.items[index]!;
      if (!usesItem(other, item.id)) continue;
      if (other.sort === "refactoring") {
        module.items.splice(index, 1);
        continue;
      }
      removeFixedMentions(other.block, item.id);
      for (const attribute of attributesOf(other.block)) {
        if (attribute.slot !== undefined && mentions(attribute.expression, item.id)) this.#rewrite(module, other, attribute);
      }
      // What cannot do without the item goes with it.
      if (other.sort === "check" || (other.sort === "data" && !printBlock(other.block).includes("id ="))) this.#drop(module, other);
    }
  }

  #addRemoved(module: Module, item: Item): void {
    this.constructs.add("removed");
    const from = item.sort === "call" ? `module.${item.id}` : `${item.type!.name}.${item.id}`;
    const lifecycle: Block = { header: "lifecycle", entries: [{ name: "destroy", expression: this.#random.pick(["false", "true"]) }] };
    const block: Block = { header: "removed", entries: [{ name: "from", expression: from }, lifecycle] };
    module.items.push({ id: this.#name("x"), sort: "refactoring", block, exports: [] });
  }
}

function repetitionOf(block: Block): Attribute | undefined {
  return block.entries.find((entry): entry is Attribute => !isBlock(entry) && (entry.name === "count" || entry.name === "for_each"));
}

function addressOf(item: Item): string {
  if (item.sort === "call") return `module.${item.id}`;
  const address = `${item.type!.name}.${item.id}`;
  return item.sort === "data" || item.sort === "ephemeral" ? `${item.sort}.${address}` : address;
}

/** The id of a remote object, which no other object has. */
function objectId(module: Module, id: string, repetition: Repetition): string {
  const prefix = module.name === "" ? "" : "${var.prefix}-";
  const suffix = repetition === "count" ? "-${count.index}" : repetition === "each" ? "-${each.key}" : "";
  return `"${prefix}${id}${suffix}"`;
}

type Facts = Omit<Referable, "text">;

/** How an attribute of an object that may be repeated can be referred to. */
function repeated(address: string, repetition: Repetition, name: string, facts: Facts): readonly Referable[] {
  const missing = emptyText(facts.kind);
  switch (repetition) {
    case "single":
      return [{ ...facts, text: `${address}.${name}` }];
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

function isSensitive(block: Block): boolean {
  return block.entries.some((entry) => !isBlock(entry) && entry.name === "sensitive");
}

function setSensitive(block: Block, sensitive: boolean): void {
  if (isSensitive(block) || !sensitive) return;
  block.entries.push({ name: "sensitive", expression: "true" });
}

/** Makes the expressions of a block fixed. */
function freeze(block: Block): void {
  block.entries.splice(
    0,
    block.entries.length,
    ...block.entries.map((entry) => (isBlock(entry) ? entry : { name: entry.name, expression: entry.expression })),
  );
  for (const entry of block.entries) if (isBlock(entry)) freeze(entry);
}

/** A value without references and functions. */
function staticText(random: Random, kind: Kind): string {
  if (kind === "string") return JSON.stringify(random.pick(["one", "two", "three", "fünf", ""]));
  if (kind === "number") return random.pick(["0", "1", "2.5", "-3", "1000000"]);
  if (kind === "bool") return random.pick(["true", "false"]);
  if ("list" in kind) return `[${random.times(random.int(4), () => staticText(random, kind.list)).join(", ")}]`;
  if ("set" in kind) return `[${random.times(random.int(4), () => staticText(random, kind.set)).join(", ")}]`;
  if ("map" in kind) {
    const names = ["a", "b", "c"].filter(() => random.chance(0.5));
    return `{ ${names.map((name) => `${name} = ${staticText(random, kind.map)}`).join(", ")} }`;
  }
  return `{ ${Object.entries(kind.object)
    .map(([name, one]) => `${name} = ${staticText(random, one)}`)
    .join(", ")} }`;
}
