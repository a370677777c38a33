// SPDX-License-Identifier: Apache-2.0
import type { Json, NumberNotation, TypeNotation, ValueNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { functionTexts } from "./function-texts.ts";
import { jsonTextOf } from "./json-text.ts";
import { anyNumber, decimalText, smallInteger } from "./numbers.ts";
import { patternText, textForPattern } from "./patterns.ts";
import { anyName, anyText, denseText } from "./text.ts";
import { anyType, objectType } from "./types.ts";
import { args, some, type Make } from "./arguments.ts";
import type { Arguments } from "./value-cases.ts";
import {
  anyValue,
  boolOperand,
  dynamicNull,
  dynamicValue,
  nearValue,
  plain,
  unknownOf,
  unmarked,
  valueOfType,
  wildKeyFor,
} from "./values.ts";

const str = (text: string): ValueNotation => ({ t: "string", v: text });
const num = (number: NumberNotation): ValueNotation => ({ t: "number", v: number });

const text: Make = (random) => str(random.chance(0.5) ? anyText(random) : denseText(random));
const oneOf =
  (...texts: readonly string[]): Make =>
  (random) =>
    str(random.pick(texts));
const number: Make = (random) => num(anyNumber(random));
const decimal: Make = (random) => num({ n: decimalText(random), p: 512 });
const whole =
  (from: number, to: number): Make =>
  (random) =>
    num(smallInteger(random, from, to));
const truth: Make = (random) => valueOfType(random, "bool", plain);
const operand: Make = (random) => boolOperand(random, 0.1);
const any: Make = (random) => anyValue(random, 2, unmarked);
const known: Make = (random) => anyValue(random, 2, plain);
const ofType =
  (type: (random: Random) => TypeNotation, options = unmarked): Make =>
  (random) => {
    const wanted = type(random);
    return { t: wanted, v: valueOfType(random, wanted, { ...options, null: 0, unknown: 0 }).v };
  };
const part = (random: Random): TypeNotation => anyType(random, 1);
const list = ofType((random) => ["list", part(random)]);
const sequence = ofType((random) =>
  random.weighted<TypeNotation>([
    [3, ["list", part(random)]],
    [3, ["tuple", random.times(random.int(4), () => part(random))]],
    [2, ["set", part(random)]],
  ]),
);
const indexed = ofType((random) =>
  random.weighted<TypeNotation>([
    [3, ["list", part(random)]],
    [3, ["tuple", random.times(random.int(4), () => part(random))]],
  ]),
);
const mapping = ofType((random) =>
  random.weighted<TypeNotation>([
    [3, ["map", part(random)]],
    [3, objectType(random, random.int(4), () => part(random))],
  ]),
);
const anyCollection = ofType((random) =>
  random.weighted<TypeNotation>([
    [2, ["list", part(random)]],
    [2, ["set", part(random)]],
    [2, ["map", part(random)]],
    [1, ["tuple", [part(random), part(random)]]],
    [1, objectType(random, 2, () => part(random))],
  ]),
);
const strings: Make = (random) => valueOfType(random, ["list", "string"], { unknown: 0.03, null: 0.02 });
const set = ofType((random) => ["set", random.pick<TypeNotation>(["string", "number", "bool", part(random)])]);
const nested = ofType((random) => [
  "list",
  random.pick<TypeNotation>([["list", "string"], ["tuple", ["string", ["list", "number"]]], ["set", "string"], part(random)]),
]);

/** A container and a key or element to look up in it. */
const lookup =
  (container: Make, ...further: readonly Make[]): Arguments =>
  (random) => {
    const value = container(random);
    return [value, wildKeyFor(random, value), ...further.map((make) => make(random))];
  };
/** Several values of the same type or of similar types. */
const alike =
  (from: number, to: number, first: Make): Arguments =>
  (random) => {
    const value = first(random);
    return random.times(from + random.int(to - from + 1), (index) =>
      index === 0 ? value : random.chance(0.6) ? valueOfType(random, value.t, plain) : nearValue(random, value, unmarked),
    );
  };
/** Texts that are valid together for a function. */
const prepared =
  (name: keyof typeof functionTexts): Arguments =>
  (random) => {
    const [first, ...rest] = random.pick<readonly string[]>(functionTexts[name]);
    return [first!, ...rest].map((piece) =>
      str(
        random.weighted<() => string>([
          [17, () => piece],
          [2, () => edited(random, piece)],
          [1, () => anyText(random)],
        ])(),
      ),
    );
  };

/** The text with one or two characters deleted, doubled or replaced. */
function edited(random: Random, piece: string): string {
  let characters = [...piece];
  for (let count = random.int(2) + 1; count > 0; count--) {
    const at = random.int(characters.length + 1);
    const other =
      characters.length > 0 && random.chance(0.7)
        ? random.pick(characters)
        : random.pick(["0", "9", "-", "+", "a", "Z", "'", "(", "[", "%", "."]);
    characters = characters.toSpliced(at, random.int(2), ...(random.chance(0.6) ? [other] : []));
  }
  return characters.join("");
}

const matching: Arguments = (random) =>
  random.chance(0.4) ? prepared("regex")(random) : [str(patternText(random)), str(textForPattern(random))];

const formatVerbs: readonly string[] = [
  "%s",
  "%d",
  "%v",
  "%#v",
  "%q",
  "%t",
  "%f",
  "%.2f",
  "%e",
  "%E",
  "%g",
  "%G",
  "%b",
  "%o",
  "%x",
  "%X",
  "%5s",
  "%-8s|",
  "%05d",
  "%+d",
  "% d",
  "%+.3e",
  "%8.3f",
  "%.3s",
  "%[1]s",
  "%[2]v",
  "%%",
  "%.0s",
  "%5q",
  "%-5t",
  "%",
  "%z",
  "%[0]d",
  "%[",
  "%1",
  "%08.2f",
  "%#x",
];

const formatting: Arguments = (random) => {
  const count = random.int(4);
  const format = random.times(count, () => `${random.pick(["", "a", "é ", "="])}${random.pick(formatVerbs)}`).join("");
  return [
    str(format),
    ...random.times(random.chance(0.8) ? count : random.int(4), () =>
      random.weighted<Make>([
        [3, decimal],
        [3, text],
        [1, truth],
        [1, number],
        [1, any],
        [1, known],
      ])(random),
    ),
  ];
};

const formattingLists: Arguments = (random) => {
  const verbs = random.times(random.int(2) + 1, () => random.pick(formatVerbs)).join("-");
  return [
    str(verbs),
    ...random.times(random.int(3) + 1, () =>
      random.weighted<Make>([
        [3, strings],
        [2, list],
        [1, indexed],
        [2, decimal],
        [1, text],
      ])(random),
    ),
  ];
};

const csvText: Make = (random) => {
  const columns = random.int(3) + 1;
  const cell = (): string => random.pick(["a", "b", "1", "", '"quoted, comma"', '"a ""b"""', "é", " x ", "two words"]);
  const rows = random.times(random.int(4) + 1, (index) =>
    random.times(random.chance(0.95) ? columns : columns + 1, (column) => (index === 0 ? `c${column}` : cell())).join(","),
  );
  return str(rows.join(random.pick(["\n", "\r\n"])) + random.pick(["", "\n"]));
};

const jsonText: Make = (random) => {
  if (random.chance(0.5)) {
    const { t, v } = known(random);
    return str(jsonTextOf(random, t, v));
  }
  return str(
    random.pick([
      '{"a":1}',
      "[1,2,3]",
      '"x"',
      "12.5",
      "true",
      "null",
      '{"a":[{"b":null}]}',
      "[]",
      "{}",
      " [1] ",
      "[1",
      '{"a":1,"a":2}',
      '{"a":1,"a":"x"}',
      "1e3",
      '"\\u00e9"',
      "nope",
      "",
      "[1] x",
      '{"é":"e\u0301"}',
    ]),
  );
};

/** Generators of valid arguments for each function; `disturbed` then changes some. */
const functionArguments: Readonly<Record<string, Arguments>> = {
  not: args((random) => boolOperand(random, 0.3)),
  and: args(operand, operand),
  or: args(operand, operand),
  hasindex: lookup(anyCollection),
  index: lookup(anyCollection),
  length: args(anyCollection),
  element: (random) => [indexed(random), random.chance(0.9) ? whole(-4, 7)(random) : number(random)],
  coalescelist: alike(1, 4, indexed),
  compact: args(strings),
  contains: lookup(sequence),
  distinct: (random) => {
    const value = list(random);
    return [
      Array.isArray(value.v) && random.chance(0.6)
        ? { t: value.t, v: [...(value.v as readonly Json[]), ...(value.v as readonly Json[])] }
        : value,
    ];
  },
  chunklist: (random) => [list(random), whole(-1, 4)(random)],
  flatten: (random) => [random.pick([nested, sequence, indexed])(random)],
  keys: args(mapping),
  lookup: lookup(mapping, any),
  merge: (random) => random.times(random.int(4), () => (random.chance(0.9) ? mapping(random) : dynamicNull)),
  reverselist: args(sequence),
  setproduct: some(1, 3, sequence),
  slice: (random) => [indexed(random), whole(-1, 3)(random), whole(0, 4)(random)],
  values: args(mapping),
  zipmap: (random) => {
    const count = random.int(4);
    const keys: ValueNotation = { t: ["list", "string"], v: random.times(count, () => anyName(random)) };
    const type = part(random);
    const element = (): Json => valueOfType(random, type, plain).v;
    const size = random.chance(0.9) ? count : count + 1;
    return [
      keys,
      random.chance(0.6)
        ? { t: ["list", type], v: random.times(size, element) }
        : { t: ["tuple", random.times(size, () => type)], v: random.times(size, element) },
    ];
  },
  assertnotnull: args(any),
  tostring: args(any),
  tonumber: (random) => [random.pick([any, decimal, oneOf("1", "1.5", " 1", "x", "1e3", "-0")])(random)],
  tobool: (random) => [random.pick([any, truth, oneOf("true", "false", "1", "0", "TRUE", "yes")])(random)],
  tolist: args(anyCollection),
  toset: args(anyCollection),
  tomap: args(mapping),
  csvdecode: (random) => [
    random.chance(0.85)
      ? csvText(random)
      : oneOf("", "a,a\n1,2", '"a\n1', 'a\n"b\nc', "a,b\n1", "\n\n", "a\n1\n\n2", 'a"b,c', "\ufeffa\n1")(random),
  ],
  formatdate: prepared("formatdate"),
  timeadd: prepared("timeadd"),
  format: formatting,
  formatlist: formattingLists,
  equal: alike(2, 2, any),
  notequal: alike(2, 2, any),
  coalesce: alike(1, 4, any),
  jsonencode: (random) => [random.chance(0.8) ? known(random) : any(random)],
  jsondecode: args(jsonText),
  absolute: args(number),
  add: args(number, number),
  subtract: args(number, number),
  multiply: args(number, number),
  divide: args(number, number),
  modulo: args(number, number),
  greaterthan: args(number, number),
  greaterthanorequalto: args(number, number),
  lessthan: args(number, number),
  lessthanorequalto: args(number, number),
  negate: args(number),
  min: some(0, 4, number),
  max: some(0, 4, number),
  int: args(number),
  ceil: args(number),
  floor: args(number),
  log: (random) => [decimal(random), random.pick([decimal, whole(0, 12)])(random)],
  pow: (random) => [random.pick([decimal, whole(-5, 20)])(random), random.pick([decimal, whole(-6, 30)])(random)],
  signum: (random) => [random.chance(0.7) ? whole(-3, 3)(random) : number(random)],
  parseint: (random) => [
    oneOf(
      "10",
      "ff",
      "FF",
      "-7f",
      "0",
      "z",
      "Zz",
      "1_000",
      "",
      "12.5",
      "+3",
      "0x10",
      "011",
      "99999999999999999999999999",
      "é",
      " 1",
    )(random),
    random.chance(0.9) ? num({ n: String(random.pick([2, 8, 10, 16, 36, 62])), p: 64 }) : whole(-1, 70)(random),
  ],
  regex: matching,
  regexall: matching,
  replace: (random) => [text(random), oneOf("a", "o", "oo", "", "é", "foo", " ")(random), oneOf("", "x", "$1", "é", "\\n")(random)],
  regexreplace: (random) => [
    ...(matching(random) as ValueNotation[]).reverse(),
    oneOf("", "x", "$1", "${1}x", "$0", "$$", "${name}", "$1x", "[$2]", "$")(random),
  ],
  concat: some(1, 3, indexed),
  range: (random) => random.times(random.int(3) + 1, () => (random.chance(0.85) ? whole(-5, 12)(random) : decimal(random))),
  sethaselement: lookup(set),
  setunion: alike(1, 3, set),
  setintersection: alike(1, 3, set),
  setsubtract: alike(2, 2, set),
  setsymmetricdifference: alike(1, 3, set),
  upper: args(text),
  lower: args(text),
  reverse: args(text),
  strlen: args(text),
  substr: (random) => [text(random), whole(-4, 6)(random), whole(-1, 6)(random)],
  join: (random) => [oneOf("", ",", ", ", "é")(random), ...random.times(random.int(2) + 1, () => strings(random))],
  sort: args(strings),
  split: (random) => [
    oneOf(",", "", "o", " ", "é", "\n")(random),
    random.chance(0.5) ? text(random) : oneOf("a,b,c", "foo boo", ",,", "x")(random),
  ],
  chomp: (random) => [random.chance(0.5) ? text(random) : oneOf("a\n", "a\r\n", "a\n\n", "\n", "a\r", "a\n\r\n")(random)],
  indent: (random) => [whole(-1, 6)(random), random.chance(0.5) ? oneOf("a\nb", "a\r\nb\n", "\n\n", "x")(random) : text(random)],
  title: args(text),
  trimspace: (random) => [random.chance(0.5) ? oneOf(" a ", "\t\n a b \r\n", "\u00a0x\u2003", "\u200bx", "")(random) : text(random)],
  trim: (random) => [text(random), oneOf("", "a", "ao", "é", " \n", "\u0301", "foo")(random)],
  trimprefix: (random) => [text(random), oneOf("", "a", "fo", "e", "foo-")(random)],
  trimsuffix: (random) => [text(random), oneOf("", "o", "oo", "-", "d")(random)],
};

/** Sometimes makes an argument null, unknown, marked, dynamic, or of another type, removes it, or adds one. */
function disturbed(random: Random, given: readonly Json[]): readonly Json[] {
  const all = given as readonly ValueNotation[];
  if (all.length === 0 || random.chance(0.7)) return all;
  const at = random.int(all.length);
  const replace = (by: ValueNotation): readonly ValueNotation[] => all.with(at, by);
  const { t, v } = all[at]!;
  return random.weighted<() => readonly Json[]>([
    [5, () => replace({ t, v: unknownOf(random, t) })],
    [4, () => replace({ t, v: { $: "marked", m: ["m"], v } })],
    [2, () => all.map((one) => ({ t: one.t, v: { $: "marked", m: [random.pick(["a", "b"])], v: one.v } }))],
    [2, () => replace({ t, v: { $: "null" } })],
    [2, () => replace(dynamicValue)],
    [1, () => replace(dynamicNull)],
    [2, () => replace(anyValue(random, 1))],
    [2, () => replace(nearValue(random, { t, v }))],
    [1, () => all.slice(1)],
    [1, () => [...all, all[at]!]],
  ])();
}

const call =
  (make: Arguments): Arguments =>
  (random) =>
    disturbed(random, make(random));

/** Generators of calls of every function, and of requests for its return type. */
export const functionCases: Readonly<Record<string, Arguments>> = Object.fromEntries(
  Object.entries(functionArguments).flatMap(([name, make]) => [
    [`fn.${name}`, call(make)],
    [`fn.${name}.returnType`, call(make)],
  ]),
);
