// SPDX-License-Identifier: Apache-2.0
// Makes the errors that people make into a configuration.
import type { Random } from "@tenon/testing/generate";
import { isBlock, type Attribute, type Block } from "./block.ts";
import { printModules, type Item, type Module } from "./module.ts";

/** A configuration with errors. */
export interface DamagedConfiguration {
  readonly files: Readonly<Record<string, string>>;
  /** Names of the errors that were made. */
  readonly damages: readonly string[];
}

/** Damages a configuration in one to three places. Sources of modules stay as they are. */
export function damage(random: Random, modules: readonly Module[]): DamagedConfiguration {
  const damaged = structuredClone(modules) as readonly Module[];
  const damages: string[] = [];
  const isText = random.chance(0.15);
  for (const _ of Array(isText ? random.int(2) : 1 + random.int(3)).keys()) {
    const [name, make] = random.weighted(kinds);
    const module = random.pick(damaged);
    const items = module.items.filter(({ sort }) => sort !== "provider" || name !== "duplicate block");
    if (items.length > 0 && make(random, module, random.pick(items))) damages.push(name);
  }
  const files = { ...printModules(damaged) };
  if (isText) {
    const path = random.pick(Object.keys(files));
    files[path] = damageText(random, files[path]!);
    damages.push("syntax");
  }
  return { files, damages };
}

/** Makes an error in a module. Returns whether there was a place for it. */
type Damage = (random: Random, module: Module, item: Item) => boolean;

const kinds: readonly (readonly [weight: number, value: readonly [name: string, damage: Damage]])[] = [
  [5, ["wrong value", (random, _module, item) => change(random, item, () => random.pick(values))]],
  [3, ["faulty expression", (random, _module, item) => change(random, item, ({ expression }) => faultyExpression(random, expression))]],
  [4, ["renamed reference", (random, _module, item) => change(random, item, ({ expression }) => renamed(random, expression))]],
  [3, ["reference to a later block", (random, module, item) => change(random, item, () => anyReference(random, module))]],
  [3, ["missing argument", (random, _module, item) => removeAttribute(random, item)]],
  [2, ["unknown argument", (random, _module, item) => addEntry(random, item, { name: "unexpected", expression: "1" })]],
  [2, ["unknown block", (random, _module, item) => addEntry(random, item, { header: random.pick(blockHeaders), entries: [] })]],
  [2, ["duplicate argument", (random, _module, item) => duplicateAttribute(random, item)]],
  [2, ["duplicate block", (_random, module, item) => module.items.push({ ...item, block: structuredClone(item.block) }) > 0]],
  [3, ["wrong header", (random, _module, item) => changeHeader(random, item)]],
  [3, ["meta-argument", (random, _module, item) => addEntry(random, item, random.pick(metaArguments), false)]],
  [1, ["meta-block", (random, _module, item) => addEntry(random, item, structuredClone(random.pick(metaBlocks)), false)]],
];

const values: readonly string[] = [
  "null",
  "true",
  '"text"',
  "-1",
  "1.5",
  "[]",
  "{}",
  '["a", 1]',
  '{ a = "b", c = [1] }',
  'toset(["a"])',
  'sensitive("hidden")',
  "sensitive([1])",
  "terraform.workspace",
  "path.root",
  "uuid()",
];

const blockHeaders: readonly string[] = [
  "unexpected",
  'unexpected "label"',
  "lifecycle",
  "connection",
  'provisioner "local-exec"',
  'dynamic "unexpected"',
  "timeouts",
  "list_block",
  "rule",
  "validation",
  "precondition",
];

const metaArguments: readonly Attribute[] = [
  ["count", "2"],
  ["count", '"two"'],
  ["count", "-1"],
  ["count", "sensitive(1)"],
  ["count", "null"],
  ["for_each", '["a", "b"]'],
  ["for_each", 'toset(["a"])'],
  ["for_each", "toset([1])"],
  ["for_each", 'sensitive(toset(["a"]))'],
  ["for_each", "{ a = each.key }"],
  ["for_each", "null"],
  ["enabled", "true"],
  ["depends_on", "[var.none]"],
  ["depends_on", '["terraform_data.a"]'],
  ["depends_on", "terraform_data.a"],
  ["depends_on", "[terraform_data.none, module.none]"],
  ["provider", "tfcoremock.none"],
  ["provider", '"tfcoremock"'],
  ["provider", "none"],
  ["providers", "{ tfcoremock = tfcoremock.none }"],
  ["providers", "{ none = tfcoremock }"],
  ["version", '"1.0.0"'],
  ["sensitive", '"yes"'],
  ["ephemeral", "true"],
  ["nullable", "null"],
  ["type", "strin"],
  ["type", "object({ a = optional(string, 1) })"],
  ["type", "list(any)"],
  ["default", "{ a = [] }"],
  ["alias", "each"],
].map(([name, expression]) => ({ name: name!, expression: expression! }));

const lifecycle = (name: string, expression: string): Block => ({ header: "lifecycle", entries: [{ name, expression }] });
const condition = (header: string, text: string, message: string): Block => ({
  header,
  entries: [
    { name: "condition", expression: text },
    { name: "error_message", expression: message },
  ],
});

const metaBlocks: readonly Block[] = [
  lifecycle("ignore_changes", "[none]"),
  lifecycle("ignore_changes", "all"),
  lifecycle("ignore_changes", '["id"]'),
  lifecycle("create_before_destroy", "var.none"),
  lifecycle("create_before_destroy", '"maybe"'),
  lifecycle("prevent_destroy", "1"),
  lifecycle("replace_triggered_by", "[terraform_data.none]"),
  lifecycle("replace_triggered_by", "[var.prefix]"),
  lifecycle("enabled", "null"),
  lifecycle("destroy", "var.none"),
  lifecycle("none", "1"),
  { header: "lifecycle", entries: [condition("precondition", "self.id", '"Text."')] },
  { header: "lifecycle", entries: [condition("postcondition", "true", "1")] },
  { header: "lifecycle", entries: [{ header: "precondition", entries: [] }] },
  condition("validation", "true", '"no full sentence"'),
  condition("validation", "var.none", '"Text."'),
  condition("precondition", "[]", '"Text."'),
  condition("assert", "null", '"Text."'),
  { header: 'provisioner "none"', entries: [] },
  { header: 'provisioner "local-exec"', entries: [{ name: "when", expression: "never" }] },
  { header: 'provisioner "local-exec"', entries: [{ name: "command", expression: "[]" }] },
  {
    header: 'provisioner "local-exec"',
    entries: [
      { name: "when", expression: "destroy" },
      { name: "command", expression: "var.none" },
    ],
  },
  {
    header: 'dynamic "set_block"',
    entries: [
      { name: "for_each", expression: "1" },
      { header: "content", entries: [] },
    ],
  },
  { header: 'dynamic "set_block"', entries: [{ name: "for_each", expression: "[1]" }] },
];

/** Replaces the expression of an attribute. */
function change(random: Random, { block, sort }: Item, expressionOf: (attribute: Attribute) => string | undefined): boolean {
  const attributes = [...attributesIn(block)].filter(({ name }) => sort !== "call" || name !== "source");
  if (attributes.length === 0 || sort === "provider") return false;
  const attribute = random.pick(attributes);
  const expression = expressionOf(attribute);
  if (expression === undefined) return false;
  attribute.expression = expression;
  return true;
}

function* attributesIn(block: Block): Generator<Attribute> {
  for (const entry of block.entries) {
    if (isBlock(entry)) yield* attributesIn(entry);
    else yield entry;
  }
}

function faultyExpression(random: Random, expression: string): string {
  return random.pick([
    `none(${expression})`,
    `upper(${expression}, 1)`,
    "upper()",
    `length(${expression})`,
    `(${expression}).none`,
    `(${expression})[0]`,
    `(${expression})["a"]`,
    `(${expression}) + 1`,
    `!(${expression})`,
    `(${expression}) ? 1 : 2`,
    `[for one in ${expression} : one]`,
    `{ for one in ${expression} : one => one }`,
    `[for one in ${expression} : none]`,
    `[${expression}...]`,
    `(${expression})[*].none`,
    `core::none(${expression})`,
    `provider::none::f(${expression})`,
    `"\${${expression}}"`,
    `templatestring("\${x}", { x = ${expression} })`,
    `true ? ${expression} : {}`,
    `each.key`,
    `count.index`,
    `self.id`,
    `lookup({}, ${expression})`,
    `file("none")`,
    `tonumber("x")`,
  ]);
}

/** An expression with one of its names changed. */
function renamed(random: Random, expression: string): string | undefined {
  const names = [...expression.matchAll(/[a-z_]\w*/g)];
  if (names.length === 0) return undefined;
  const { 0: name, index } = random.pick(names);
  const other = random.pick([`${name}x`, name.slice(0, -1), name.toUpperCase(), `${name}.none`, `${name}[0]`]);
  return `${expression.slice(0, index)}${other}${expression.slice(index + name.length)}`;
}

function anyReference(random: Random, { items }: Module): string | undefined {
  const texts = items.flatMap(({ exports }) => exports.map(({ text }) => text));
  return texts.length === 0 ? undefined : random.pick(texts);
}

function blocksIn(block: Block): readonly Block[] {
  return [block, ...block.entries.flatMap((entry) => (isBlock(entry) ? blocksIn(entry) : []))];
}

function removeAttribute(random: Random, { block, sort }: Item): boolean {
  const places = blocksIn(block).flatMap((within) =>
    within.entries.flatMap((entry, index) => (isBlock(entry) || (sort === "call" && entry.name === "source") ? [] : [{ within, index }])),
  );
  if (places.length === 0 || sort === "provider") return false;
  const { within, index } = random.pick(places);
  within.entries.splice(index, 1);
  return true;
}

function duplicateAttribute(random: Random, { block }: Item): boolean {
  const within = random.pick(blocksIn(block));
  const attributes = within.entries.filter((entry) => !isBlock(entry));
  if (attributes.length === 0) return false;
  within.entries.push({ ...random.pick(attributes) });
  return true;
}

function addEntry(random: Random, { block }: Item, entry: Attribute | Block, anywhere = true): boolean {
  const within = anywhere ? random.pick(blocksIn(block)) : block;
  if (!isBlock(entry) && within.entries.some((other) => !isBlock(other) && other.name === entry.name)) return false;
  within.entries.push(isBlock(entry) ? entry : { ...entry });
  return true;
}

function changeHeader(random: Random, { block }: Item): boolean {
  const within = random.pick(blocksIn(block));
  const [type = "", ...labels] = within.header.split(" ");
  const others = [
    [`${type}x`, ...labels],
    [type, ...labels, '"more"'],
    [type, ...labels.slice(0, -1)],
    [type, ...labels.slice(0, -1), '"1 name"'],
    [type, '"tfcoremock_none"', ...labels.slice(1)],
    [type, '"none_type"', ...labels.slice(1)],
    ["data", ...labels],
    ["ephemeral", ...labels],
    ["locals", ...labels],
  ];
  (within as { header: string }).header = random.pick(others).join(" ");
  return true;
}

const marks = ['"', "{", "}", "[", "]", "(", ")", "=", ".", ",", "\n", "${", "#", "é", "'", "<<EOT", "*", "\\"];

/** Removes, adds or replaces a few characters. */
function damageText(random: Random, text: string): string {
  const at = random.int(text.length);
  const removed = random.weighted([
    [3, 0],
    [3, 1],
    [1, 1 + random.int(20)],
  ] as const);
  const added = random.chance(removed === 0 ? 1 : 0.3) ? random.pick(marks) : "";
  return `${text.slice(0, at)}${added}${text.slice(at + removed)}`;
}
