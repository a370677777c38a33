// SPDX-License-Identifier: Apache-2.0
import { bool, isValue, list, number, of, string, unknown, type Type, type Value } from "@tenon/cty";
import { decode } from "@tenon/cty/json";
import type { Random } from "@tenon/testing/generate";
import { isComputed, isWriteOnly } from "../declaration.ts";
import type { AttributeDeclaration, BlockDeclaration, Nesting, SchemaDeclaration, TypeDeclaration } from "../declaration.ts";
import { exactNumbers, fractions, spellings, texts, wholeNumbers } from "./schema-details.ts";

/** Placeholder of an unknown value. */
export const Unknown: unique symbol = Symbol("unknown");

/** Data of a configuration or state: null, {@link Unknown}, plain data, and values where the type is dynamic. */
export type Tree = Readonly<Record<string, unknown>>;

/** Shares of unknown and invalid values in a configuration. */
export interface Wishes {
  readonly unknowns: boolean;
  readonly faults: boolean;
}

export const modes: readonly string[] = [
  "throw",
  "half",
  "error",
  "warn",
  "spell",
  "gone",
  "drift",
  "private",
  "refuse",
  "caution",
  "replace",
  "set",
  "keep",
  "invalid",
];

/** Generates a configuration of a schema. */
export function makeConfig(random: Random, schema: SchemaDeclaration, wishes: Wishes): Tree {
  return { ...makeBody(random, schema, wishes), ...("mode" in schema.attributes ? { mode: makeMode(random) } : {}) };
}

function makeMode(random: Random): string | null {
  return random.chance(0.45) ? null : random.pick(modes);
}

function makeBody(random: Random, { attributes, blocks = {} }: SchemaDeclaration, wishes: Wishes): Tree {
  const body: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(attributes)) body[name] = makeAttribute(random, attribute, wishes);
  for (const [name, block] of Object.entries(blocks)) body[name] = makeBlock(random, block, wishes);
  return body;
}

function makeAttribute(random: Random, attribute: AttributeDeclaration, wishes: Wishes): unknown {
  const { mode } = attribute;
  if (wishes.unknowns && mode !== "computed" && random.chance(0.06)) return Unknown;
  if (mode === "computed") return wishes.faults && random.chance(0.02) ? makeContent(random, attribute, wishes) : null;
  const isRequired = mode === "required" || mode === "writeOnlyRequired";
  if (isRequired ? wishes.faults && random.chance(0.04) : random.chance(0.45)) return null;
  return makeContent(random, attribute, wishes);
}

function makeContent(random: Random, attribute: AttributeDeclaration, wishes: Wishes): unknown {
  if (attribute.kind !== "nested") return makeData(random, attribute, wishes);
  return makeRepeated(random, attribute.nesting, () => makeBody(random, attribute.body, wishes), 3);
}

function makeBlock(random: Random, { nesting, body, required }: BlockDeclaration, wishes: Wishes): unknown {
  if (wishes.unknowns && nesting !== "single" && random.chance(0.03)) return Unknown;
  if (nesting === "single" && (required === true ? wishes.faults && random.chance(0.1) : random.chance(0.4))) return null;
  return makeRepeated(random, nesting, () => makeBody(random, body, wishes), 3);
}

function makeRepeated(random: Random, nesting: Nesting, element: () => unknown, most: number): unknown {
  if (nesting === "single") return element();
  const elements = random.times(random.int(most), element);
  return nesting === "map" ? Object.fromEntries(elements.map((one, index) => [["k", "key", "zz"][index]!, one])) : elements;
}

/** Generates data of a type. */
export function makeData(random: Random, type: TypeDeclaration, wishes: Wishes): unknown {
  const element = (of: TypeDeclaration): unknown => {
    if (wishes.unknowns && random.chance(0.04)) return Unknown;
    return random.chance(0.04) ? null : makeData(random, of, wishes);
  };
  switch (type.kind) {
    case "string":
      return random.pick(texts);
    case "caseless":
      return random.pick(spellings);
    case "bool":
      return random.chance(0.5);
    case "int32":
      return random.pick(wholeNumbers);
    case "int64":
      return random.chance(0.05) ? 9007199254740993n : random.pick(wholeNumbers);
    case "float32":
    case "float64":
      return random.pick(fractions);
    case "number":
      return decode(random.pick(exactNumbers), number);
    case "dynamic":
      return makeDynamic(random, wishes);
    case "list":
    case "set":
      return random.times(random.int(4), () => element(type.element));
    case "map":
      return Object.fromEntries(random.times(random.int(3), (index) => [["k", "key", "K"][index]!, element(type.element)]));
    default:
      return Object.fromEntries(Object.entries(type.members).map(([name, member]) => [name, element(member)]));
  }
}

function makeDynamic(random: Random, { unknowns }: Wishes): Value {
  return random.weighted<() => Value>([
    [3, () => of(string, random.pick(texts))],
    [2, () => of(number, random.pick(wholeNumbers))],
    [1, () => of(bool, random.chance(0.5))],
    [1, () => of(list(string), [random.pick(texts)])],
    [unknowns ? 1 : 0, () => unknown(string)],
  ])();
}

/** Generates a configuration that is similar to another, sometimes equal. */
export function changeConfig(random: Random, schema: SchemaDeclaration, config: Tree, wishes: Wishes): Tree {
  if (random.chance(0.2)) return config;
  const changed = changeBody(random, schema, config, wishes, 0.2);
  return { ...changed, ...("mode" in schema.attributes ? { mode: random.chance(0.4) ? config["mode"] : makeMode(random) } : {}) };
}

function changeBody(random: Random, { attributes, blocks = {} }: SchemaDeclaration, body: Tree, wishes: Wishes, share: number): Tree {
  const changed: Record<string, unknown> = {};
  for (const [name, before] of Object.entries(body)) {
    const attribute = attributes[name];
    const block = blocks[name];
    const nested = attribute?.kind === "nested" ? attribute : block;
    if (random.chance(share))
      changed[name] = attribute === undefined ? makeBlock(random, block!, wishes) : makeAttribute(random, attribute, wishes);
    else if (nested === undefined || before === null || before === Unknown) changed[name] = before;
    else changed[name] = changeRepeated(random, nested.nesting, before, (one) => changeBody(random, nested.body, one, wishes, share / 2));
  }
  return changed;
}

function changeRepeated(random: Random, nesting: Nesting, before: unknown, change: (one: Tree) => Tree): unknown {
  if (nesting === "single") return change(before as Tree);
  if (nesting === "map") {
    const entries = Object.entries(before as Readonly<Record<string, Tree>>).filter(() => !random.chance(0.1));
    return Object.fromEntries(entries.map(([key, one]) => [random.chance(0.05) ? "new" : key, change(one)]));
  }
  const elements = (before as readonly Tree[]).filter(() => !random.chance(0.1)).map(change);
  return random.chance(0.1) ? elements.toReversed() : elements;
}

/** Generates a state for a configuration: without unknown and write-only values, with some computed ones. */
export function makeState(random: Random, { attributes, blocks = {} }: SchemaDeclaration, config: Tree): Tree {
  const state: Record<string, unknown> = {};
  for (const [name, before] of Object.entries(config)) {
    const attribute = attributes[name];
    state[name] = attribute === undefined ? stateOfBlock(random, blocks[name]!, before) : stateOfAttribute(random, attribute, before);
  }
  return state;
}

const known: Wishes = { unknowns: false, faults: false };

function stateOfAttribute(random: Random, attribute: AttributeDeclaration, before: unknown): unknown {
  if (isWriteOnly(attribute)) return null;
  if (before === Unknown || (before === null && isComputed(attribute) && !random.chance(0.1))) {
    const content = makeContent(random, attribute, known);
    return attribute.kind === "nested" ? stateOfNested(random, attribute, content) : withoutUnknown(random, attribute, content);
  }
  if (before === null) return null;
  return attribute.kind === "nested" ? stateOfNested(random, attribute, before) : withoutUnknown(random, attribute, before);
}

function stateOfBlock(random: Random, block: BlockDeclaration, before: unknown): unknown {
  if (before === null) return null;
  return stateOfNested(random, block, before === Unknown ? makeBlock(random, { ...block, required: true }, known) : before);
}

function stateOfNested(
  random: Random,
  { nesting, body }: { readonly nesting: Nesting; readonly body: SchemaDeclaration },
  before: unknown,
): unknown {
  const element = (one: unknown): unknown => makeState(random, body, one as Tree);
  if (nesting === "single") return element(before);
  if (nesting === "map") return Object.fromEntries(Object.entries(before as Tree).map(([key, one]) => [key, element(one)]));
  return (before as readonly unknown[]).map(element);
}

function withoutUnknown(random: Random, type: TypeDeclaration, before: unknown): unknown {
  if (before === Unknown) return makeData(random, type, known);
  if (before === null) return null;
  switch (type.kind) {
    case "list":
    case "set":
      return (before as readonly unknown[]).map((one) => withoutUnknown(random, type.element, one));
    case "map":
      return Object.fromEntries(Object.entries(before as Tree).map(([key, one]) => [key, withoutUnknown(random, type.element, one)]));
    case "object":
      return Object.fromEntries(
        Object.entries(before as Tree).map(([name, one]) => [name, withoutUnknown(random, type.members[name]!, one)]),
      );
    case "dynamic":
      return isValue(before) && typeof before.payload === "object" && !Array.isArray(before.payload) ? of(string, "known") : before;
    default:
      return before;
  }
}

/** Whether data contains an unknown value. */
export function hasUnknown(tree: unknown): boolean {
  if (tree === Unknown) return true;
  if (isValue(tree))
    return typeof tree.payload === "object" && tree.payload !== null && !Array.isArray(tree.payload) && tree.type !== number;
  return typeof tree === "object" && tree !== null && Object.values(tree).some(hasUnknown);
}

/** Converts data to a value of the schema's type. */
export function valueOfTree(tree: unknown, type: Type): Value {
  return of(type, inputOf(tree, type) as never);
}

function inputOf(tree: unknown, type: Type): unknown {
  if (tree === Unknown) return unknown(type);
  if (typeof tree !== "object" || tree === null || isValue(tree)) return tree;
  switch (type.kind) {
    case "list":
    case "set":
      return (tree as readonly unknown[]).map((one) => inputOf(one, type.element));
    case "map":
      return Object.fromEntries(Object.entries(tree).map(([key, one]) => [key, inputOf(one, type.element)]));
    case "object":
      return Object.fromEntries(Object.entries(tree).map(([name, one]) => [name, inputOf(one, type.attributes[name]!)]));
    default:
      return tree;
  }
}
