// SPDX-License-Identifier: Apache-2.0
import type { Json } from "../../cty/notation.ts";
import type { Random } from "../../cty/random.ts";
import { anyType, attributesOf, elementOf, tupleElementsOf } from "../../cty/generate/types.ts";
import { anyValue, mixed } from "../../cty/generate/values.ts";
import { kindOf, type TypeNotation } from "../../cty/notation.ts";
import type { MadeCase } from "./areas.ts";
import { damaged } from "./expression.ts";

/** Type expressions, valid and not, and defaults put in values. */
export function typeCase(random: Random): MadeCase {
  const constructs = new Set<string>();
  if (random.chance(0.1))
    return { asked: { op: "typeexpr.string", args: [anyType(random, 3, { dynamic: true }) as Json] }, constructs: ["type text"] };
  if (random.chance(0.3)) {
    constructs.add("defaults applied");
    const type = objectTypeText(random, 3, constructs, true);
    const value = random.chance(0.4) ? anyValue(random, 2, mixed) : fittingValue(random);
    return { asked: { op: "typeexpr.apply", args: [type, value as unknown as Json] }, constructs };
  }
  const op = random.pick(["typeexpr.type", "typeexpr.constraint", "typeexpr.defaults"]);
  let text = typeText(random, 3, constructs, false);
  if (random.chance(0.06)) text = damaged(random, text);
  const json = random.chance(0.15);
  return { asked: { op, args: json ? ["json", JSON.stringify(text)] : ["native", text] }, constructs };
}

function typeText(random: Random, depth: number, constructs: Set<string>, valid: boolean): string {
  if (!valid && random.chance(0.08)) {
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
      return `${kind}(${typeText(random, depth - 1, constructs, valid)})`;
    case "tuple":
      return `tuple([${random.times(random.int(4), () => typeText(random, depth - 1, constructs, valid)).join(", ")}])`;
    case "object":
      return objectTypeText(random, depth, constructs, valid);
    default:
      return kind;
  }
}

const names: readonly string[] = ["a", "b", "name", "size", "tags", "inner"];

function objectTypeText(random: Random, depth: number, constructs: Set<string>, valid: boolean): string {
  const chosen = names.filter(() => random.chance(0.4));
  const attributes = chosen.map((name) => `${name} = ${attributeText(random, depth, constructs, valid)}`);
  return `object({ ${attributes.join(", ")} })`;
}

function attributeText(random: Random, depth: number, constructs: Set<string>, valid: boolean): string {
  const type = typeText(random, depth - 1, constructs, valid);
  if (!random.chance(0.5)) return type;
  constructs.add("optional");
  if (!valid && random.chance(0.1)) return random.pick(["optional()", `optional(${type}, 1, 2)`]);
  if (random.chance(0.4)) return `optional(${type})`;
  constructs.add("default");
  return `optional(${type}, ${valid || random.chance(0.4) ? fittingDefault(random, type) : defaultText(random)})`;
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

/** A value of an object type with the names that types here have. */
function fittingValue(random: Random): Json {
  const type: TypeNotation = [
    "object",
    Object.fromEntries(names.filter(() => random.chance(0.5)).map((name) => [name, anyType(random, 1)])),
  ];
  return { t: type, v: payload(random, type) } as unknown as Json;
}

function payload(random: Random, type: TypeNotation): Json {
  if (random.chance(0.15)) return { $: random.pick(["null", "unknown"]) };
  switch (kindOf(type)) {
    case "string":
      return random.pick(["a", "b", "1"]);
    case "number":
      return { n: String(random.int(5)), p: 64 };
    case "bool":
      return random.chance(0.5);
    case "tuple":
      return tupleElementsOf(type).map((element) => payload(random, element));
    case "object":
      return Object.entries(attributesOf(type)).map(([name, attribute]) => [name, payload(random, attribute)]);
    case "map":
      return ["k", "l"].filter(() => random.chance(0.6)).map((name) => [name, payload(random, elementOf(type))]);
    default:
      return random.times(random.int(3), () => payload(random, elementOf(type)));
  }
}
