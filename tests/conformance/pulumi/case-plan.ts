// SPDX-License-Identifier: Apache-2.0
import { attributeType, impliedType, type Attribute, type Block } from "@tenon/schema";
import type { CaseAttribute, CaseBlock, CaseRules } from "./diff-case.ts";
import { someTree, treesEqual, Unknown } from "./value-tree.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Steps from the root to a value: names of attributes and blocks, indexes, and keys of maps. */
export type TreePath = readonly (string | number | { readonly key: string })[];

/** What a provider of the rules of {@link CaseRules} plans. */
export interface CasePlan {
  readonly planned: unknown;
  readonly requiresReplace: readonly TreePath[];
}

/**
 * Plans a change: defaults first; then, where anything changes, each computed attribute without configuration becomes unknown, unless it
 * keeps its prior value.
 */
export function planCase(block: CaseBlock, prior: unknown, config: unknown, proposed: unknown): CasePlan {
  const withDefaults = eachObject(block, proposed, config, (rules, value, given) =>
    given === null && rules.default !== undefined ? rules.default : value,
  );
  const changes = !treesEqual(prior, withDefaults);
  const planned = !changes
    ? withDefaults
    : eachObject(block, withDefaults, config, (rules, value, given) => {
        if (rules.write_only === true) return null;
        if (rules.computed !== true || given !== null || rules.default !== undefined) return value;
        return rules.keeps === true && prior !== null && value !== null ? value : Unknown;
      });
  const requiresReplace: TreePath[] = [];
  if (prior !== null) collectReplacements(block, prior, planned, [], requiresReplace);
  return { planned, requiresReplace };
}

/** Sets the values that were unknown in a plan. */
export function completed(block: CaseBlock, schema: Block, planned: unknown): unknown {
  const type = impliedType(schema);
  return eachObject(
    block,
    planned,
    planned,
    (rules, value, _, attribute) => {
      if (value !== Unknown) return value;
      return rules.made ?? someTree(attribute ? attributeType(attribute) : type);
    },
    schema,
  );
}

type ConvertAttribute = (rules: CaseAttribute, value: unknown, config: unknown, attribute: Attribute | undefined) => unknown;

/** Converts each attribute of an object and of the objects in it, those inside first. */
function eachObject(block: CaseBlock, tree: unknown, config: unknown, convert: ConvertAttribute, schema?: Block): unknown {
  if (!isFields(tree)) return tree;
  const given = isFields(config) ? config : {};
  const result: Record<string, unknown> = { ...tree };
  for (const [name, rules] of Object.entries(block.attributes ?? {})) {
    const own = given[name] ?? null;
    const attribute = schema?.attributes[name];
    const nested = rules.nested_type;
    const inner = nested
      ? eachElement(nested.nesting_mode, tree[name], own, (part, partConfig) =>
          eachObject({ attributes: nested.attributes }, part, partConfig, convert, attribute?.nested && nestedBlock(attribute)),
        )
      : tree[name];
    result[name] = convert(rules, inner ?? null, own, attribute);
  }
  for (const [name, nested] of Object.entries(block.block_types ?? {})) {
    result[name] = eachElement(nested.nesting_mode, tree[name], given[name] ?? null, (part, partConfig) =>
      eachObject(nested.block, part, partConfig, convert, schema?.blocks[name]?.block),
    );
  }
  return result;
}

function nestedBlock({ nested }: Attribute): Block | undefined {
  if (nested === undefined) return undefined;
  const { attributes } = nested;
  return { attributes, blocks: {}, description: "", descriptionKind: "plain", deprecated: false, deprecationMessage: "" };
}

/** Converts the objects of a nesting. An element of a set belongs to an element of the configuration that has the same set values. */
function eachElement(nesting: string, tree: unknown, config: unknown, convert: (part: unknown, config: unknown) => unknown): unknown {
  if (tree === Unknown || tree === null || tree === undefined) return tree ?? null;
  if (nesting === "single" || nesting === "group") return convert(tree, config);
  if (nesting === "map") {
    const configs = isFields(config) ? config : {};
    return Object.fromEntries(Object.entries(tree as Fields).map(([key, part]) => [key, convert(part, configs[key] ?? null)]));
  }
  const configs = Array.isArray(config) ? [...(config as unknown[])] : [];
  return (tree as readonly unknown[]).map((part, index) => {
    if (nesting === "list") return convert(part, configs[index] ?? null);
    const at = configs.findIndex((candidate) => agrees(part, candidate));
    return convert(part, at < 0 ? null : configs.splice(at, 1)[0]);
  });
}

/** Whether an element has all values that its configuration sets. */
function agrees(part: unknown, config: unknown): boolean {
  if (config === null) return true;
  if (Array.isArray(config))
    return Array.isArray(part) && part.length === config.length && config.every((one, at) => agrees(part[at], one));
  if (isFields(config)) return isFields(part) && Object.entries(config).every(([name, value]) => agrees(part[name] ?? null, value));
  return part === config;
}

function collectReplacements(block: CaseBlock, prior: unknown, planned: unknown, path: TreePath, found: TreePath[]): void {
  if (!isFields(planned)) {
    // What disappears is compared with nothing.
    if (isFields(prior)) collectReplacements(block, null, prior, path, found);
    return;
  }
  const before = isFields(prior) ? prior : {};
  for (const [name, rules] of Object.entries(block.attributes ?? {})) {
    const here = [...path, name];
    if (addReplacement(rules, before[name] ?? null, planned[name], here, found) || !rules.nested_type) continue;
    const { nesting_mode: nesting, attributes } = rules.nested_type;
    collectInside(nesting, { attributes }, before[name] ?? null, planned[name], here, found);
  }
  for (const [name, nested] of Object.entries(block.block_types ?? {})) {
    const here = [...path, name];
    if (addReplacement(nested, before[name] ?? null, planned[name], here, found)) continue;
    collectInside(nested.nesting_mode, nested.block, before[name] ?? null, planned[name], here, found);
  }
}

function addReplacement({ replace }: CaseRules, before: unknown, after: unknown, path: TreePath, found: TreePath[]): boolean {
  if (replace === undefined || replace === false) return false;
  const isChange = replace === "count" ? countOf(before) !== countOf(after) : !treesEqual(before, after);
  if (isChange) found.push(path);
  return isChange;
}

function countOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : value === null ? 0 : -1;
}

function collectInside(nesting: string, block: CaseBlock, before: unknown, after: unknown, path: TreePath, found: TreePath[]): void {
  if (nesting === "single" || nesting === "group") return collectReplacements(block, before, after, path, found);
  if (nesting === "set") {
    // The protocol has no paths into sets.
    const inside: TreePath[] = [];
    const old = Array.isArray(before) ? (before as unknown[]) : [];
    const now = Array.isArray(after) ? (after as unknown[]) : [];
    const isNew = (element: unknown, others: readonly unknown[]): boolean => !others.some((other) => treesEqual(other, element));
    for (const element of now.filter((one) => isNew(one, old))) collectReplacements(block, null, element, path, inside);
    for (const element of old.filter((one) => isNew(one, now))) collectReplacements(block, null, element, path, inside);
    if (inside.length > 0) found.push(path);
    return;
  }
  const old = typeof before === "object" && before !== null ? (before as Fields) : {};
  const now = typeof after === "object" && after !== null ? (after as Fields) : {};
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const step = nesting === "list" ? Number(key) : { key };
    if (key in now) collectReplacements(block, old[key] ?? null, now[key], [...path, step], found);
    else collectReplacements(block, null, old[key], [...path, step], found);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
