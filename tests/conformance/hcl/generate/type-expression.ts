// SPDX-License-Identifier: Apache-2.0
import type { Json } from "../../cty/notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyType } from "../../cty/generate/types.ts";
import { anyValue, mixed } from "../../cty/generate/values.ts";
import type { MadeCase } from "./areas.ts";
import { damaged } from "./expression.ts";
import { makeShape, shapeText, valueOfShape } from "./type-shape.ts";

/** A case with a valid or invalid type expression, or with defaults to apply to a value. */
export function typeCase(random: Random): MadeCase {
  const constructs = new Set<string>();
  if (random.chance(0.1))
    return { input: { op: "typeexpr.string", args: [anyType(random, 3, { dynamic: true }) as Json] }, constructs: ["type text"] };
  if (random.chance(0.3)) {
    constructs.add("defaults applied");
    const shape = makeShape(random, 4, constructs);
    const value = random.chance(0.1) ? anyValue(random, 2, mixed) : valueOfShape(random, shape);
    return { input: { op: "typeexpr.apply", args: [shapeText(shape), value as unknown as Json] }, constructs };
  }
  const op = random.pick(["typeexpr.type", "typeexpr.constraint", "typeexpr.defaults"]);
  let text = typeText(random, 3, constructs);
  if (random.chance(0.06)) text = damaged(random, text);
  const json = random.chance(0.15);
  return { input: { op, args: json ? ["json", JSON.stringify(text)] : ["native", text] }, constructs };
}

function typeText(random: Random, depth: number, constructs: Set<string>): string {
  if (random.chance(0.08)) {
    constructs.add("wrong type");
    return random.pick([
      "list",
      "map",
      "object",
      "tuple",
      "strin",
      "list()",
      "list(string, number)",
      "any()",
      "string()",
      "optional(string)",
      "set(1)",
      "object({})",
      "object([])",
      "object(string)",
      "tuple({})",
      "tuple(string)",
      "foo(string)",
      '"string"',
      "1",
      "object({ a.b = string })",
      'object({ "a" = string })',
      "object({ a = string, a = number })",
      "null",
      "true",
      "var.a",
      "object()",
      "provider::x(string)",
    ]);
  }
  const kind = random.weighted<string>([
    [4, "string"],
    [3, "number"],
    [2, "bool"],
    [1, "any"],
    [depth > 0 ? 2 : 0, "list"],
    [depth > 0 ? 2 : 0, "set"],
    [depth > 0 ? 2 : 0, "map"],
    [depth > 0 ? 4 : 0, "object"],
    [depth > 0 ? 2 : 0, "tuple"],
  ]);
  constructs.add(kind);
  switch (kind) {
    case "list":
    case "set":
    case "map":
      return `${kind}(${typeText(random, depth - 1, constructs)})`;
    case "tuple":
      return `tuple([${random.times(random.int(4), () => typeText(random, depth - 1, constructs)).join(", ")}])`;
    case "object":
      return objectTypeText(random, depth, constructs);
    default:
      return kind;
  }
}

const names: readonly string[] = ["a", "b", "name", "size", "tags", "inner"];

function objectTypeText(random: Random, depth: number, constructs: Set<string>): string {
  const chosen = names.filter(() => random.chance(0.4));
  const attributes = chosen.map((name) => `${name} = ${attributeText(random, depth, constructs)}`);
  return `object({ ${attributes.join(", ")} })`;
}

function attributeText(random: Random, depth: number, constructs: Set<string>): string {
  const type = typeText(random, depth - 1, constructs);
  if (!random.chance(0.5)) return type;
  constructs.add("optional");
  if (random.chance(0.1)) return random.pick(["optional()", `optional(${type}, 1, 2)`]);
  if (random.chance(0.4)) return `optional(${type})`;
  constructs.add("default");
  return `optional(${type}, ${random.chance(0.4) ? fittingDefault(random, type) : defaultText(random)})`;
}

function fittingDefault(random: Random, type: string): string {
  if (random.chance(0.15)) return "null";
  if (/^(?:list|set)\(/.test(type)) return "[]";
  if (type.startsWith("map(") || type === "object({  })") return "{}";
  return { string: '"d"', number: "7", bool: "true", any: '"x"' }[type] ?? "null";
}

function defaultText(random: Random): string {
  return random.pick([
    "1",
    '"a"',
    "true",
    "null",
    "[]",
    "{}",
    '["a"]',
    "{ a = 1 }",
    '{ name = "x", size = 2 }',
    "x",
    "1 + 1",
    '"${1}"',
    "[{}]",
    "{ a = {} }",
  ]);
}
