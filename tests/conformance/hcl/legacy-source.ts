// SPDX-License-Identifier: Apache-2.0
/* Configurations with legacy forms, which `tofu fmt` rewrites, and similar forms, which it keeps. */
import type { Random } from "@tenon/testing/generate";
import { SourceMaker } from "./syntax-source.ts";

/** Expressions of an attribute. */
export const pickedValues: readonly string[] = [
  // A string that consists of one interpolation.
  '"${a}"',
  '"${ a.b[0].c }"',
  '"${~ a ~}"',
  '"${a.*.b}"',
  '"${a + 1}"',
  '"${-a}"',
  '"${!a}"',
  '"${a ? b : c}"',
  '"${(a)}"',
  '"${f(a, "b")}"',
  '"${f("${a}", "x${b}")}"',
  '"${[a, "b"]}"',
  '"${{ a = 1 }}"',
  '"${ { a = "${b}" } }"',
  '"${[for x in a : x]}"',
  '"${{ for k, v in a : k => v... if v }}"',
  '"${"a"}"',
  '"${"${a}"}"',
  '"${1}"',
  '"${null}"',
  '"${provider::x::f(a)}"',
  '"${a == "x" ? "${b}" : "${c}"}"',
  // Multi-line interpolations.
  '"${\n  a\n}"',
  '"${\n\n  a +\n  b\n\n}"',
  '"${a\n  ? b\n  : c\n}"',
  '"${(a\n  ? b\n  : c)\n}"',
  '"${(\n  a)}"',
  '"${f(\n  a,\n  b\n)}"',
  '"${[\n  a,\n]}"',
  '"${\r\n  a\r\n}"',
  '"${f(<<E\nx\nE\n)}"',
  '"${<<E\nx\nE\n}"',
  '"${<<-E\n  x\n  E\n\n}"',
  // Interpolations with comments.
  '"${ /* c */ a /* d */ }"',
  '"${a # c\n}"',
  '"${\n  a # c\n}"',
  '"${f( # c\n  a)}"',
  // Expressions with more than one interpolation.
  '"a"',
  '""',
  '"${a}b"',
  '"a${b}"',
  '" ${a}"',
  '"${a}${b}"',
  '"${a}" == "${b}"',
  '"${a}".b',
  '"${a}"["${b}"]',
  '("${a}")',
  '["${a}"]',
  '{ a = "${b}" }',
  'f("${a}")',
  '!"${a}"',
  '"${a}" ? "${b}" : "${c}"',
  '"%{ if a }b%{ endif }"',
  '"%{ for x in a }${x}%{ endfor }"',
  '"$${a}"',
  '"${a}\\n"',
  "<<E\n${a}\nE",
  "<<-E\n  ${a}\n  E",
  '"${f("${<<E\n${a}\nE\n}")}"',
  '"${<<E\n${a}\nE\n}"',
];

const pickedTypes: readonly string[] = [
  '"string"',
  '"list"',
  '"map"',
  '"set"',
  '"number"',
  '"any"',
  '""',
  '"li\\u0073t"',
  "string",
  "list",
  "map",
  "set",
  "any",
  "tuple",
  "list(string)",
  "(list)",
  '"${list}"',
  "list /* c */",
  "/* c */ map # d",
  "object({ a = list })",
];

const pickedHeads: readonly string[] = [
  "b",
  "b x",
  'b "x"',
  'b x y "z" w',
  'b /* c */ "x"',
  'b x /* c */ "y" /* d */',
  "b /* c\n c */ x",
  'b ""',
  'b "a b" "\\"" "\\\\"',
  'b "\\u00e9" "e\u0301" "\u00a0" "\\u200d" "\\U0001F600" "\\U000E0001"',
  'b "\\t\\n\\r" "\u0007"',
  'b größe "日本語"',
];

/** Files with each form in several positions. */
export const pickedLegacy: readonly string[] = [
  ...pickedValues.flatMap((value) => [
    `a = ${value}\n`,
    `b {\nlong_name=1\na=${value}\n\n\n  c {\n d = ${value}\n}\n}`,
    `variable v {\n  type = ${value}\n  default = ${value}\n}\n`,
  ]),
  ...pickedTypes.flatMap((type) => [
    `variable "v" {\n  type = ${type}\n  description = "d" # c\n}\n`,
    `type = ${type}\nvariable { type = ${type}\n}\nvariable v {\nnested {\ntype = ${type}\n}\n}\noutput "o" {\n type = ${type}\n}\n`.replace(
      /variable \{ type = [^\n]*\n\}\n/,
      "",
    ),
    `module "m" {\n  variable "v" {\n    type = ${type}\n  }\n}\nvariable {\n  type = ${type}\n}\n`,
  ]),
  ...pickedHeads.flatMap((head) => [`${head} {}\n`, `${head} { # c\n  a = 1\n\n${head} {\n}\n}\n`, `${head} { a = "\${b}" }`]),
  'a = "${b}" # c\nlong = "${c}" // d\n/* e */ x = /* f */ "${y}" /* g */\n',
  'b { a = "${c}" }\nb { a = "${\nc\n}" } # d\n',
  '\ufeffa = "${b}"\r\nc "d" e {\r\n}\r\n',
  'a = "${b}"',
  "# only\n\n\n/* comments */\n",
  "",
];

/** A fault of `tofu fmt` that we do not repeat: its result is invalid, or means something else than the source. */
export type FmtLoss = "an expression that is cut off" | "an index that is lost" | "a label that is lost";

/** Sources that `tofu fmt` damages, the loss, and the result of `formatConfiguration`. */
export const pickedLosses: readonly (readonly [source: string, loss: FmtLoss, ours: string])[] = [
  ['a = "${<<E\nx\nE\n}" # c\n', "an expression that is cut off", 'a = "${<<E\nx\nE\n}" # c\n'],
  ['a = "${<<E\nx\nE\n}" # c\nb = <<E\ny\nE\n', "an expression that is cut off", 'a = "${<<E\nx\nE\n}" # c\nb = <<E\ny\nE\n'],
  ['b { a = "${<<E\nx\nE\n}" }\n', "an expression that is cut off", 'b { a = "${<<E\nx\nE\n}" }\n'],
  ['a = "${\n x +\n<<E\nx\nE\n}"\n', "an expression that is cut off", 'a = "${\n  x +\n  <<E\nx\nE\n}"\n'],
  ['a = "${(x)\n+ (y)}"\n', "an expression that is cut off", 'a = "${(x)\n+ (y)}"\n'],
  ['a="${ # c\nx}"\n', "an expression that is cut off", 'a = "${ # c\nx}"\n'],
  ['b { a = "${x # c\n}" }\n', "an expression that is cut off", 'b { a = "${x # c\n}" }\n'],
  ['a = "${<<E\nx\nE\n}"', "an expression that is cut off", 'a = "${<<E\nx\nE\n}"'],
  ["a = b[null].c[true]\n", "an index that is lost", "a = b[null].c[true]\n"],
  ['b "$5" x {}\n', "a label that is lost", 'b "$5" "x" {}\n'],
  ['b "a%b" {}\n', "a label that is lost", 'b "a%b" {}\n'],
  ['b "$${x}" "%%{y}" {}\n', "a label that is lost", 'b "$${x}" "%%{y}" {}\n'],
];

/** Invalid sources. */
export const pickedRefused: readonly string[] = [
  "a =\n",
  "a = 1 b = 2\n",
  'variable "v" {\n  type = list\n',
  'b { a = "${b}" c = 1 }\n',
  "b { c {} }\n",
  "a = 1\na = 2\n",
  'b "x${y}" {\n}\n',
  "a = <<E\nx\n",
  "a = [1,\n\nb {\n}\n",
  "a = 'x'\n",
];

/** A generated file with many legacy forms. */
export function legacyFile(random: Random): string {
  return random.times(1 + random.int(5), () => legacyItem(random, 0)).join(random.pick(["\n", "\n\n", "\n# c\n", "\n\n\n"]));
}

function legacyItem(random: Random, depth: number): string {
  const name = `${random.pick(["a", "type", "default", "long_name", "größe"])}${random.int(90)}`;
  if (depth > 2 || random.chance(0.3)) return `${name}${gap(random)}=${gap(random)}${value(random)}${lineEnd(random)}`;
  if (random.chance(0.2)) return `variable ${label(random)} {\n type = ${random.pick(pickedTypes)}\n default=${value(random)}\n}`;
  const head = [random.pick(["resource", "variable", "b"]), ...random.times(random.int(3), () => label(random))].join(
    random.weighted([
      [6, " "],
      [1, " /* c */ "],
      [1, "  "],
    ]),
  );
  if (random.chance(0.15)) return `${head} { ${name} = ${value(random)} }`;
  const items = random.times(random.int(4), () => `${random.pick(["", "  ", "\t"])}${legacyItem(random, depth + 1)}`);
  const type = random.chance(0.3) ? [`type = ${random.chance(0.6) ? random.pick(pickedTypes) : value(random)}`] : [];
  return `${head} {${random.pick(["", " ", " # c"])}\n${[...type, ...items].join(random.pick(["\n", "\n\n"]))}\n}`;
}

const gap = (random: Random): string => random.pick([" ", " ", "", "   ", " /* c */ "]);
const lineEnd = (random: Random): string => random.pick(["", "", "", "", "", " # c", " // c", " /* c */", "\r"]);
const label = (random: Random): string =>
  random.chance(0.006) ? random.pick(['"$5"', '"a%b"', '"$${x}"']) : random.pick(["x", '"x"', '"a b"', "größe", '"\\u00e9"', '""']);

function value(random: Random): string {
  return random.weighted<() => string>([
    [4, () => random.pick(pickedValues)],
    [3, () => `"\${${inner(random)}}"`],
    [1, () => `"\${${inner(random)}}\${${inner(random)}}"`],
    [2, () => new SourceMaker(random, random.int(8)).expression()],
  ])();
}

function inner(random: Random): string {
  const expression = new SourceMaker(random, random.int(10)).expression();
  return random.weighted([
    [24, expression],
    [8, `\n${expression}\n`],
    [4, `(${expression})`],
    [1, random.chance(0.1) ? ` # c\n${expression}` : expression],
    [2, `${expression} # c\n`],
    [1, random.chance(0.9) ? expression : `(${expression})\n+ (${expression})`],
  ]);
}
