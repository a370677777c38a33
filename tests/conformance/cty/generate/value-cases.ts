// SPDX-License-Identifier: Apache-2.0
import type { Case, Json, PathNotation, StepNotation, ValueNotation } from "../notation.ts";
import { kindOf, specialForm } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyNumber } from "./numbers.ts";
import { anyName, anyText, combiningText, denseText } from "./text.ts";
import { anyType, attributesOf, elementOf, nearType, tupleElementsOf } from "./types.ts";
import {
  anyValue,
  boolOperand,
  dynamicNull,
  dynamicValue,
  keyFor,
  mixed,
  nearValue,
  numericValue,
  refinementOf,
  unmarked,
  valueOfType,
  wildKeyFor,
  type ValueOptions,
} from "./values.ts";

/** Generates the arguments of an operation. */
export type Arguments = (random: Random) => readonly Json[];

const any = (random: Random): ValueNotation => anyValue(random, random.int(4));

/** Mostly a value of the operation's type; sometimes one of another type. */
const mostly =
  (wanted: (random: Random) => ValueNotation): ((random: Random) => ValueNotation) =>
  (random) =>
    random.chance(0.04) ? random.pick([dynamicValue, dynamicNull, anyValue(random, 1)]) : wanted(random);

const numeric = mostly((random) => numericValue(random));
/** A single operand has few interesting values of its own type, so many cases have another type. */
const oneBoolean = (random: Random): ValueNotation => boolOperand(random, 0.4);
const boolean = (random: Random): ValueNotation => boolOperand(random, 0.1);

const kinds =
  (...wanted: string[]): ((random: Random) => ValueNotation) =>
  (random) => {
    let type = anyType(random, 2);
    for (let tries = 0; tries < 12 && !wanted.includes(kindOf(type)); tries++) type = anyType(random, 2);
    return valueOfType(random, type, { null: 0.02, unknown: 0.06, marked: 0.04 });
  };

const pair =
  (make: (random: Random) => ValueNotation): Arguments =>
  (random) => [make(random), make(random)];
const single =
  (make: (random: Random) => ValueNotation): Arguments =>
  (random) => [make(random)];
const near: Arguments = (random) => {
  const value = any(random);
  return [value, nearValue(random, value)];
};
/** Two sets to compare; their equality depends on hash, order and unknown elements. */
const nearSets: Arguments = (random) => {
  const value = valueOfType(random, ["set", anyType(random, 1)], mixed);
  return [value, nearValue(random, value)];
};

function someOfOneType(random: Random): ValueNotation[] {
  const type = anyType(random, 2);
  return random.times(random.int(5), () => {
    if (random.chance(0.06)) return random.pick([dynamicValue, dynamicNull, anyValue(random, 1)]);
    return valueOfType(random, type, { null: 0.05, unknown: 0.08, marked: 0.03 });
  });
}

function namesFor(random: Random, values: readonly ValueNotation[]): Json {
  const seen = new Map(values.map((value) => [anyName(random), value] as const));
  return [...seen].map(([name, value]) => [name, value]);
}

/** Refinements, mostly valid; the rest contradict the value or each other, or are for another type. */
function promises(random: Random, type: Json): Json {
  const r = random.chance(0.93) ? refinementOf(random, type) : refinementOf(random, anyType(random, 1));
  if (kindOf(type) === "string" && random.chance(0.4)) r["prefixTrimmed"] = random.chance(0.5) ? denseText(random) : anyText(random);
  if (random.chance(0.05)) r["null"] = true;
  if (kindOf(type) === "number" && random.chance(0.2))
    r["min"] = [random.chance(0.2) ? { $: "unknown" } : anyNumber(random), random.chance(0.5)];
  return r;
}

const refinedArguments: Arguments = (random) => {
  const type = random.chance(0.7)
    ? random.pick<Json>(["string", "number", ["list", "string"], ["set", "number"], ["map", "bool"]])
    : anyType(random, 2);
  const options: ValueOptions = random.chance(0.8) ? { unknown: 1 } : { unknown: 0.2, marked: 0.1, null: 0.1 };
  return [valueOfType(random, type, options), promises(random, type)];
};

/** A path into the value, mostly to an existing part. */
export function pathInto(random: Random, value: ValueNotation): PathNotation {
  const steps: StepNotation[] = [];
  let current: ValueNotation = value;
  for (let length = random.int(4); length > 0; length--) {
    const { t } = current;
    const v = specialForm(current.v) === "marked" ? (current.v as { v: Json }).v : current.v;
    const kind = kindOf(t);
    if (kind === "object") {
      const name = keyFor(random, current).v as string;
      steps.push(random.chance(0.92) ? ["attr", name] : ["index", { t: "string", v: name }]);
      const attribute = attributesOf(t)[name];
      const part = Array.isArray(v) ? (v as readonly (readonly [string, Json])[]).find(([key]) => key === name)?.[1] : undefined;
      current = attribute === undefined ? dynamicValue : { t: attribute, v: part ?? { $: "unknown" } };
    } else if (kind === "list" || kind === "tuple" || kind === "map" || kind === "set") {
      const key = random.chance(0.92) ? keyFor(random, current) : wildKeyFor(random, current);
      steps.push(random.chance(0.95) ? ["index", key] : ["attr", anyName(random)]);
      const at = Number((key.v as { n?: string } | null)?.n ?? 0);
      const element = kind === "tuple" ? (tupleElementsOf(t)[at] ?? "dynamic") : elementOf(t);
      const part = kind !== "map" && Array.isArray(v) ? (v as readonly Json[])[at] : undefined;
      current = { t: element, v: part ?? { $: "unknown" } };
    } else {
      if (random.chance(0.1)) steps.push(random.chance(0.5) ? ["attr", "a"] : ["index", { t: "number", v: { n: "0", p: 64 } }]);
      break;
    }
  }
  return steps;
}

const simpleKeys: readonly ValueNotation[] = [
  { t: "number", v: { n: "0", p: 64 } },
  { t: "number", v: { n: "1", p: 64 } },
  { t: "number", v: { n: "0", p: 512 } },
  { t: "string", v: "a" },
  { t: "string", v: "b" },
  { t: "bool", v: true },
];

function anyPath(random: Random): PathNotation {
  return random.times(random.int(4), (): StepNotation =>
    random.chance(0.5)
      ? ["attr", random.pick(["a", "b", "c", "name"])]
      : ["index", random.chance(0.9) ? random.pick(simpleKeys) : anyValue(random, 1, unmarked)],
  );
}

const somePaths = (random: Random): Json => random.times(random.int(6), () => anyPath(random));

const types: Arguments = (random) => {
  const type = anyType(random, 3, { dynamic: true, optional: true });
  return [type, random.chance(0.4) ? type : nearType(random, type, { dynamic: true, optional: true })];
};
const oneType: Arguments = (random) => [anyType(random, 3, { dynamic: true, optional: true })];

/** Type descriptions, most of them well-formed. */
const typeText: Arguments = (random) => {
  const text = JSON.stringify(anyType(random, 3, { dynamic: true, optional: true }));
  if (random.chance(0.6)) return [text];
  const at = random.int(text.length);
  return [
    text.slice(0, at) +
      random.pick(["", ",", "]", "[", '"', "{", "}", "null", "1", ' "x"', '"string"', "  "]) +
      text.slice(at + random.int(3)),
  ];
};

const twice: readonly Arguments[] = [near, near, nearSets, pair(any)];
const compare: Arguments = (random) => random.pick(twice)(random);

/** Generators of arguments for each operation on types and values. */
export const valueArguments: Readonly<Record<string, Arguments>> = {
  "type.equals": types,
  "type.friendly": oneType,
  "type.friendlyConstraint": oneType,
  "type.gostring": oneType,
  "type.hasDynamic": oneType,
  "type.withoutOptional": oneType,
  "type.conformance": types,
  "type.json": oneType,
  "type.parseJson": typeText,
  "value.self": single(any),
  "value.neg": single(numeric),
  "value.abs": single(numeric),
  "value.not": single(oneBoolean),
  "value.length": single(kinds("list", "set", "map", "tuple")),
  "value.lengthInt": single(kinds("list", "set", "map", "tuple")),
  "value.canIterate": single(any),
  "value.unknownAsNull": single(any),
  "value.refineNotNull": single(any),
  "value.equals": compare,
  "value.notEqual": compare,
  "value.rawEquals": compare,
  "value.add": pair(numeric),
  "value.sub": pair(numeric),
  "value.mul": pair(numeric),
  "value.div": pair(numeric),
  "value.mod": pair(numeric),
  "value.lt": pair(numeric),
  "value.gt": pair(numeric),
  "value.lte": pair(numeric),
  "value.gte": pair(numeric),
  "value.and": pair(boolean),
  "value.or": pair(boolean),
  "value.index": (random) => {
    const container = kinds("list", "map", "tuple")(random);
    return [container, wildKeyFor(random, container)];
  },
  "value.hasIndex": (random) => {
    const container = kinds("list", "map", "tuple")(random);
    return [container, wildKeyFor(random, container)];
  },
  "value.hasElement": (random) => {
    const container = random.chance(0.95) ? valueOfType(random, ["set", anyType(random, 1)], mixed) : any(random);
    return [container, wildKeyFor(random, container)];
  },
  "value.getAttr": (random) => {
    const container = kinds("object")(random);
    return [container, keyFor(random, kindOf(container.t) === "object" ? container : dynamicValue).v as string].map((part) =>
      typeof part === "object" && part !== null && "n" in part ? "a" : part,
    );
  },
  "value.gostring": single(any),
  "value.hash": (random) => [anyValue(random, 3, random.chance(0.9) ? unmarked : mixed)],
  "value.isKnown": single(any),
  "value.isNull": single(any),
  "value.isWhollyKnown": single(any),
  "value.hasWhollyKnownType": single(any),
  "value.elements": single(kinds("list", "set", "map", "tuple", "object")),
  "value.range": (random) => [random.chance(0.5) ? valueOfType(random, anyType(random, 1), { unknown: 1 }) : anyValue(random, 2, unmarked)],
  "value.includes": (random) => {
    const type = random.pick<Json>(["string", "number", ["list", "string"], ["set", "number"], ["map", "bool"], anyType(random, 2)]);
    return [
      valueOfType(random, type, { unknown: 0.8 }),
      random.chance(0.9) ? valueOfType(random, type, { unknown: 0.3, null: 0.1, marked: 0.05 }) : anyValue(random, 1),
    ];
  },
  "value.refine": refinedArguments,
  "value.list": (random) => [someOfOneType(random)],
  "value.set": (random) => [someOfOneType(random)],
  "value.tuple": (random) => [someOfOneType(random)],
  "value.map": (random) => [namesFor(random, someOfOneType(random))],
  "value.object": (random) => [
    namesFor(
      random,
      random.times(random.int(4), () => anyValue(random, 2)),
    ),
  ],
  walk: single(any),
  "transform.identity": single(any),
  "marks.mark": (random) => [any(random), random.pick([[], ["a"], ["b", "c"]])],
  "marks.marks": single(any),
  "marks.containsMarked": single(any),
  "marks.unmark": single(any),
  "marks.unmarkDeep": (random) => [anyValue(random, 3, { null: 0.05, unknown: 0.05, marked: 0.3 })],
  "marks.unmarkDeepWithPaths": (random) => [anyValue(random, 3, { null: 0.05, unknown: 0.05, marked: 0.3 })],
  "marks.markWithPaths": (random) => {
    const value = any(random);
    return [value, random.times(random.int(4), () => [pathInto(random, value), random.pick([["a"], ["b", "c"]])])];
  },
  "path.apply": (random) => {
    const value = any(random);
    return [value, pathInto(random, value)];
  },
  "path.equals": (random) => {
    const path = anyPath(random);
    return [path, random.chance(0.5) ? path : anyPath(random)];
  },
  "path.hasPrefix": (random) => {
    const path = anyPath(random);
    return [path, random.chance(0.6) ? path.slice(0, random.int(path.length + 1)) : anyPath(random)];
  },
  "pathset.list": (random) => [somePaths(random)],
  "pathset.union": (random) => [somePaths(random), somePaths(random)],
  "pathset.intersection": (random) => [somePaths(random), somePaths(random)],
  "pathset.subtract": (random) => [somePaths(random), somePaths(random)],
  "pathset.symmetricDifference": (random) => [somePaths(random), somePaths(random)],
  "str.nfc": (random) => [combiningText(random)],
  "str.safePrefix": (random) => [combiningText(random)],
};

/** A case of a random operation; all are equally likely. */
export function caseOf(from: Readonly<Record<string, Arguments>>, random: Random): Case {
  const op = random.pick(Object.keys(from));
  return { op, args: from[op]!(random) };
}
