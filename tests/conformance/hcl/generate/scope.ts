// SPDX-License-Identifier: Apache-2.0
import type { Json, TypeNotation } from "../../cty/notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyType } from "../../cty/generate/types.ts";
import { mixed, payloadOf, plain, type ValueOptions } from "../../cty/generate/values.ts";

/** A variable that expressions can refer to. */
export interface Variable {
  readonly name: string;
  readonly type: TypeNotation;
}

/** A scope in the oracle's notation, and its variables. */
export interface MadeScope {
  readonly notation: Json;
  readonly variables: readonly Variable[];
}

const item: TypeNotation = [
  "object",
  { name: "string", size: "number", tags: ["list", "string"], inner: ["object", { x: "number", y: "bool" }] },
];

const usual: readonly Variable[] = [
  { name: "n", type: "number" },
  { name: "m", type: "number" },
  { name: "s", type: "string" },
  { name: "name", type: "string" },
  { name: "b", type: "bool" },
  { name: "flag", type: "bool" },
  { name: "names", type: ["list", "string"] },
  { name: "nums", type: ["list", "number"] },
  { name: "ids", type: ["set", "string"] },
  { name: "tags", type: ["map", "string"] },
  { name: "ports", type: ["map", "number"] },
  { name: "item", type: item },
  { name: "items", type: ["list", item] },
  { name: "pool", type: ["set", item] },
  { name: "byname", type: ["map", item] },
  { name: "pair", type: ["tuple", ["string", "number"]] },
  { name: "mixture", type: ["tuple", [item, "string", ["list", "number"]]] },
  { name: "nested", type: ["list", ["list", "number"]] },
  { name: "nothing", type: "dynamic" },
];

/** A scope, possibly with a nested one, whose variables have many types; some are unknown, null or marked. */
export function makeScope(random: Random): MadeScope {
  const options: ValueOptions = random.weighted([
    [5, plain],
    [4, mixed],
    [2, { null: 0.1, unknown: 0.3, marked: 0.2 }],
    [1, { unknown: 1 }],
  ]);
  const chosen = usual.filter(() => random.chance(0.6));
  if (random.chance(0.5)) chosen.push({ name: "odd", type: anyType(random, 2) });
  const entry = ({ name, type }: Variable): Json => [name, { t: type, v: valueFor(random, type, options) }];
  if (random.chance(0.03)) return { notation: null, variables: [] };
  const functions: Json = random.weighted<Json>([
    [12, true],
    [1, []],
    [1, ["upper", "length", "try", "core::upper"]],
  ]);
  const inner = random.chance(0.2) ? chosen.splice(0, random.int(3)) : [];
  const outer = { variables: chosen.map(entry), ...(random.chance(0.97) ? { functions } : {}) };
  if (inner.length === 0) return { notation: [random.chance(0.98) ? outer : { functions }], variables: chosen };
  return { notation: [outer, { variables: inner.map(entry) }], variables: [...chosen, ...inner] };
}

function valueFor(random: Random, type: TypeNotation, options: ValueOptions): Json {
  if (type === "dynamic") return { $: random.pick(["null", "unknown"]) };
  if (options.unknown === 1) return { $: "unknown" };
  return payloadOf(random, type, options);
}

/** The special kinds of values in a scope: unknown, refined, marked, null. */
export function kindsOfValues(notation: Json): readonly string[] {
  const text = JSON.stringify(notation);
  const sorts = {
    "unknown values": '{"$":"unknown"',
    "refined values": '"r":{',
    "marked values": '{"$":"marked"',
    "null values": '{"$":"null"',
  };
  return Object.entries(sorts).flatMap(([name, sign]) => (text.includes(sign) ? [name] : []));
}
