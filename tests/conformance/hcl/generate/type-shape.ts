// SPDX-License-Identifier: Apache-2.0
/* Types with optional attributes and defaults at any depth, and values that mostly conform to them. */
import type { Json, TypeNotation, ValueNotation } from "../../cty/notation.ts";
import type { Random } from "@tenon/testing/generate";

export type Shape =
  | { readonly kind: "string" | "number" | "bool" | "any" }
  | { readonly kind: "list" | "set" | "map"; readonly element: Shape }
  | { readonly kind: "tuple"; readonly elements: readonly Shape[] }
  | { readonly kind: "object"; readonly attributes: readonly ShapeAttribute[] };

interface ShapeAttribute {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
  /** Source text of the default. */
  readonly default?: string;
}

const names: readonly string[] = ["a", "b", "name", "size", "inner"];

export function makeShape(random: Random, depth: number, constructs: Set<string>): Shape {
  const kind = random.weighted<Shape["kind"]>([
    [3, "string"],
    [2, "number"],
    [1, "bool"],
    [1, "any"],
    [depth > 0 ? 2 : 0, "list"],
    [depth > 0 ? 1 : 0, "set"],
    [depth > 0 ? 2 : 0, "map"],
    [depth > 0 ? 1 : 0, "tuple"],
    [depth > 0 ? 6 : 0, "object"],
  ]);
  switch (kind) {
    case "list":
    case "set":
    case "map":
      return { kind, element: makeShape(random, depth - 1, constructs) };
    case "tuple":
      return { kind, elements: random.times(random.int(3), () => makeShape(random, depth - 1, constructs)) };
    case "object":
      return { kind, attributes: names.filter(() => random.chance(0.5)).map((name) => makeAttribute(random, name, depth, constructs)) };
    default:
      return { kind };
  }
}

function makeAttribute(random: Random, name: string, depth: number, constructs: Set<string>): ShapeAttribute {
  const shape = makeShape(random, depth - 1, constructs);
  if (random.chance(0.3)) return { name, shape, optional: false };
  if (random.chance(0.3)) return { name, shape, optional: true };
  constructs.add("default");
  if (JSON.stringify(shape).includes('"default":')) constructs.add("default around defaults");
  return {
    name,
    shape,
    optional: true,
    default: shape.kind === "any" ? random.pick(['"x"', "[1]", "{ a = 1 }"]) : literalOf(random, shape),
  };
}

export function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case "list":
    case "set":
    case "map":
      return `${shape.kind}(${shapeText(shape.element)})`;
    case "tuple":
      return `tuple([${shape.elements.map(shapeText).join(", ")}])`;
    case "object":
      return `object({ ${shape.attributes.map(attributeText).join(", ")} })`;
    default:
      return shape.kind;
  }
}

function attributeText({ name, shape, optional, default: given }: ShapeAttribute): string {
  const type = shapeText(shape);
  return `${name} = ${optional ? `optional(${type}${given === undefined ? "" : `, ${given}`})` : type}`;
}

/** Source text of a valid default; optional attributes may be absent. */
function literalOf(random: Random, shape: Shape): string {
  if (random.chance(0.1)) return "null";
  switch (shape.kind) {
    case "string":
      return random.pick(['"d"', "5", "true"]);
    case "number":
      return random.pick(["7", '"8"']);
    case "bool":
      return "true";
    case "any":
      // null, because the elements of a collection need one type even if some omit this attribute.
      return "null";
    case "list":
    case "set":
      return `[${random.times(random.int(3), () => literalOf(random, shape.element)).join(", ")}]`;
    case "map":
      return `{ ${["k", "l"]
        .slice(0, random.int(3))
        .map((key) => `${key} = ${literalOf(random, shape.element)}`)
        .join(", ")} }`;
    case "tuple":
      return `[${shape.elements.map((one) => literalOf(random, one)).join(", ")}]`;
    default:
      return `{ ${shape.attributes
        .filter(({ optional }) => !optional || random.chance(0.5))
        .map(({ name, shape: inner }) => `${name} = ${literalOf(random, inner)}`)
        .join(", ")} }`;
  }
}

/** A value as in a configuration: some optional attributes are absent, some collections are tuples or objects. */
export function valueOfShape(random: Random, shape: Shape): ValueNotation {
  const [t, v] = made(random, shape);
  return { t, v } as ValueNotation;
}

type Made = readonly [type: TypeNotation, payload: Json];

function made(random: Random, shape: Shape): Made {
  const [type, payload] = plain(random, shape);
  if (random.chance(0.06)) return [type, { $: "null" }];
  if (random.chance(0.05)) return [type, { $: "unknown" }];
  return random.chance(0.05) ? [type, { $: "marked", m: ["secret"], v: payload }] : [type, payload];
}

function plain(random: Random, shape: Shape): Made {
  // Sometimes use a value of another type.
  if (random.chance(0.04))
    return random.pick<Made>([
      ["string", "odd"],
      [["tuple", []], []],
      [["object", {}], []],
      ["dynamic", { $: "null" }],
    ]);
  switch (shape.kind) {
    case "number":
      return ["number", { n: String(random.int(5)), p: 64 }];
    case "bool":
      return ["bool", random.chance(0.5)];
    case "list":
    case "set": {
      const elements = random.times(random.int(3), () => made(random, shape.element));
      const common = commonType(elements);
      if (common !== undefined && random.chance(0.5)) return [[shape.kind, common] as TypeNotation, elements.map(([, payload]) => payload)];
      return tupleOf(elements);
    }
    case "map": {
      const entries = ["k", "l"].slice(0, random.int(3)).map((key) => [key, made(random, shape.element)] as const);
      const common = commonType(entries.map(([, one]) => one));
      if (common !== undefined && random.chance(0.5)) return [["map", common], entries.map(([key, [, payload]]) => [key, payload])];
      return objectOf(entries);
    }
    case "tuple":
      return tupleOf(shape.elements.map((one) => made(random, one)));
    case "object": {
      const present = shape.attributes.filter(({ optional }) => random.chance(optional ? 0.5 : 0.95));
      const extra = random.chance(0.05) ? [["extra", ["bool", true]] as const] : [];
      return objectOf([...present.map(({ name, shape: inner }) => [name, made(random, inner)] as const), ...extra]);
    }
    default:
      return ["string", random.pick(["a", "b", "1"])];
  }
}

/** The type that all values have, if it is the same and a collection's elements may have it. */
function commonType(all: readonly Made[]): TypeNotation | undefined {
  const texts = new Set(all.map(([type]) => JSON.stringify(type)));
  return texts.size === 1 && all[0]![0] !== "dynamic" ? all[0]![0] : undefined;
}

const tupleOf = (elements: readonly Made[]): Made => [["tuple", elements.map(([type]) => type)], elements.map(([, payload]) => payload)];

function objectOf(entries: readonly (readonly [string, Made])[]): Made {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ["object", Object.fromEntries(sorted.map(([name, [type]]) => [name, type]))],
    sorted.map(([name, [, payload]]) => [name, payload]),
  ];
}
