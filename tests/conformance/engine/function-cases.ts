// SPDX-License-Identifier: Apache-2.0
// Random arguments for each of OpenTofu's own functions. The comparison with go-cty covers the functions that OpenTofu has from go-cty.
import type { Json, ValueNotation } from "../cty/notation.ts";
import type { Random } from "@tenon/testing/generate";
import { args, some, type Make } from "../cty/generate/arguments.ts";
import { decimalText, smallInteger } from "../cty/generate/numbers.ts";
import { anyText, denseText } from "../cty/generate/text.ts";
import type { Arguments } from "../cty/generate/value-cases.ts";
import { anyValue, dynamicNull, dynamicValue, nearValue, plain, unknownOf, unmarked, valueOfType } from "../cty/generate/values.ts";
import { charsetNames } from "./charset-names.ts";

const str = (text: string): ValueNotation => ({ t: "string", v: text });
const text: Make = (random) => str(random.chance(0.5) ? anyText(random) : denseText(random));
const oneOf =
  (...texts: readonly string[]): Make =>
  (random) =>
    str(random.pick(texts));
const either =
  (...makes: readonly Make[]): Make =>
  (random) =>
    random.pick(makes)(random);
const whole =
  (from: number, to: number): Make =>
  (random) => ({ t: "number", v: smallInteger(random, from, to) });
const decimal: Make = (random) => ({ t: "number", v: { n: decimalText(random), p: 512 } });
const big: Make = (random) => ({ t: "number", v: { n: String(random.bits(70) * (random.chance(0.3) ? -1n : 1n)), p: 512 } });
const any: Make = (random) => anyValue(random, 2, unmarked);
const ofType =
  (type: Json, options = unmarked): Make =>
  (random) =>
    valueOfType(random, type, { ...options, null: 0 });

const sequence: Make = (random) =>
  ofType(
    random.pick<Json>([
      ["list", "string"],
      ["list", "number"],
      ["tuple", ["string", "number"]],
      ["set", "string"],
      ["tuple", []],
    ]),
  )(random);
const mapping: Make = (random) =>
  ofType(
    random.pick<Json>([
      ["map", "string"],
      ["object", { a: "string", b: "number" }],
      ["map", ["list", "string"]],
    ]),
  )(random);

const base64: Make = (random) => {
  const bytes = Uint8Array.from(random.times(random.int(12), () => random.int(256)));
  const encoded = random.chance(0.5) ? Buffer.from(anyText(random)).toString("base64") : Buffer.from(bytes).toString("base64");
  if (random.chance(0.7)) return str(encoded);
  const at = random.int(encoded.length + 1);
  return str(encoded.slice(0, at) + random.pick(["=", "!", "\n", "\r\n", "A", " ", "-", ""]) + encoded.slice(at + random.int(2)));
};

const ipv4: Make = (random) => str(random.times(4, () => random.pick([0, 1, 10, 127, 192, 255, random.int(300)])).join("."));
const ipv6: Make = (random) => {
  const group = (): string => random.pick(["0", "1", "ffff", "fd00", "2001", "db8", random.int(65_536).toString(16)]);
  const count = random.int(8);
  return str(
    count === 7
      ? random.times(8, group).join(":")
      : `${random.times(count, group).join(":")}::${random.times(random.int(7 - count), group).join(":")}`,
  );
};
const oddAddress = oneOf(
  "::ffff:1.2.3.4",
  "::ffff:10.0.0.0",
  "1.2.3",
  "1.2.3.4.5",
  "010.1.1.1",
  ":",
  "::",
  "",
  "1::2::3",
  "x",
  "1.2.3.4 ",
  "::1.2.3.4",
  "00000::1",
);
const address = either(ipv4, ipv4, ipv6, ipv6, oddAddress);
const prefix: Make = (random) => {
  const { v } = address(random);
  const length = random.pick([0, 8, 16, 24, 28, 30, 31, 32, 48, 64, 96, 112, 120, 127, 128, random.int(140)]);
  return str(`${v as string}/${random.chance(0.95) ? length : random.pick(["", "x", "-1", "08", "8 "])}`);
};

const timestamp = oneOf(
  "2020-02-29T12:34:56Z",
  "2020-02-29T12:34:56.5Z",
  "2020-02-29T14:34:56+02:00",
  "2020-02-29T12:34:56.000000001Z",
  "2021-02-29T12:34:56Z",
  "2020-13-01T00:00:00Z",
  "2020-01-01T24:00:00Z",
  "2020-01-01",
  "2020-01-01T00:00:00",
  "2020-01-01t00:00:00z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59-12:00",
  "",
  "x",
);

const path = oneOf(
  "a",
  "a/b",
  "/a/b/c.txt",
  "",
  "/",
  "//",
  ".",
  "..",
  "a/",
  "a//b",
  "./a",
  "../a",
  "a/../b",
  "/..",
  "a/./b/",
  "~",
  "~/a",
  "~b/c",
  "é/日",
);
const pattern = oneOf("/a+/", "/(a)(b)?/", "/[/", "/", "//", "a", "", "/^.*$/", "/\\d/", "/(?P<x>o)/", "oo", ".");
const replacement = oneOf("", "x", "$1", "${1}y", "$0", "$$", "${x}", "é");
const namespace = oneOf(
  "dns",
  "url",
  "oid",
  "x500",
  "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  "6BA7B8109DAD11D180B400C04FD430C8",
  "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}",
  "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  "urn:xxxx:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  "urn:uuidü6ba7b810-9dad-11d1-80b4-00c04fd430c",
  "6ba7b810-9dad-11d1-80b4-00c04fd430cz",
  "6ba7b810x9dad-11d1-80b4-00c04fd430c8",
  "",
  "x",
);
const charset: Make = (random) =>
  str(random.chance(0.9) ? random.pick(charsetNames) : random.pick(["nope", "", " utf-8 ", "UTF-7", "latin1"]));
const charsetText: Make = either(
  text,
  oneOf("hello", "héllo", "€", "日本語", "中文", "한국어", "Ω", "ｱｲｳ", "~", "\\", "😀", "¥", "‾", "ñ", "Ж", "\u00a0", ""),
);

/** A YAML document, sometimes truncated, sometimes with the line breaks of YAML 1.1. */
const yaml: Make = (random) => {
  const scalar = (): string =>
    random.pick([
      "a",
      "1",
      "-2.5",
      "true",
      "~",
      "null",
      "'q'",
      '"d\\n"',
      "0x1F",
      "0o17",
      "017",
      "1e3",
      ".5",
      ".inf",
      "yes",
      "y",
      "2001-01-01",
      "2001-12-14t21:59:43.10-05:00",
      "1_000",
      "!!str 5",
      "!!int 7",
      "é",
      "a b",
      "12:30",
      "+1",
      "-",
      "?x",
      "'it''s\n    b'",
      '"a \\n\\\n    b\n\n    c"',
      "a\n    b",
    ]);
  const flow = (depth: number): string =>
    depth === 0 || random.chance(0.4)
      ? scalar()
      : random.chance(0.5)
        ? `[${random.times(random.int(3), () => flow(depth - 1)).join(", ")}]`
        : `{${random.times(random.int(3), (index) => `k${index}: ${flow(depth - 1)}`).join(", ")}}`;
  const block = (depth: number, indent: string): string => {
    if (depth === 0 || random.chance(0.3)) return ` ${flow(1)}\n`;
    if (random.chance(0.2)) return ` ${random.pick(["|", ">", "|-", ">+"])}\n${indent}  x\n${indent}  y\n`;
    const isList = random.chance(0.5);
    const entries = random.times(1 + random.int(3), (index) => `${indent}${isList ? "-" : `k${index}:`}${block(depth - 1, `${indent}  `)}`);
    return `\n${entries.join("")}`;
  };
  const document = random.chance(0.5) ? flow(2) : block(2, "").replace(/^\n/, "");
  const breaks = random.chance(0.85) ? ["\n"] : ["\n", "\r", "\r\n", "\x85", "\u2028", "\u2029"];
  const lines = document.replaceAll("\n", () => random.pick(breaks));
  return str(random.chance(0.9) ? lines : lines.slice(0, random.int(lines.length + 1)));
};

/** The arguments of OpenTofu's own functions, except those that read files, expressions or keys. */
const own: Readonly<Record<string, Arguments>> = {
  length: args(any),
  alltrue: args(ofType(["list", "bool"], { ...unmarked, unknown: 0.1 })),
  anytrue: args(ofType(["list", "bool"], { ...unmarked, unknown: 0.1 })),
  coalesce: some(0, 4, either(text, any, oneOf("", "x"))),
  index: args(sequence, either(text, whole(0, 4), any)),
  lookup: (random) => [mapping(random), oneOf("a", "b", "c", "")(random), ...random.times(random.int(3), () => either(text, any)(random))],
  matchkeys: (random) => {
    const type: Json = ["list", random.pick(["string", "number"])];
    const options = { ...unmarked, unknown: 0.03 };
    const length = random.int(4);
    const sized = (): ValueNotation => {
      const { t, v } = valueOfType(random, type, { ...options, null: 0 });
      return { t, v: Array.isArray(v) ? v.slice(0, length) : v };
    };
    return [sized(), sized(), valueOfType(random, random.chance(0.8) ? type : ["list", "bool"], options)];
  },
  one: args(either(sequence, any)),
  sum: args(either(ofType(["list", "number"]), ofType(["set", "number"]), ofType(["tuple", ["number", "string"]]), any)),
  transpose: args(ofType(["map", ["list", "string"]], { ...unmarked, unknown: 0.03 })),
  list: some(0, 2, any),
  map: some(0, 2, any),
  tostring: args(any),
  tonumber: args(either(any, oneOf("1", "x", "1e3", "", "0x1", " 1"))),
  tobool: args(either(any, oneOf("true", "false", "x", "1", "True"))),
  tolist: args(any),
  toset: args(any),
  tomap: args(either(mapping, any)),
  sensitive: args(any),
  nonsensitive: args(any),
  issensitive: args(any),
  ephemeralasnull: args(any),
  startswith: args(text, either(text, oneOf("", "a", "fo"))),
  endswith: args(text, either(text, oneOf("", "o", "oo"))),
  strcontains: args(text, either(text, oneOf("", "o"))),
  replace: args(text, either(pattern, text), replacement),
  md5: args(text),
  sha1: args(text),
  sha256: args(text),
  sha512: args(text),
  base64sha256: args(text),
  base64sha512: args(text),
  base64encode: args(text),
  base64decode: args(base64),
  base64gunzip: args(base64),
  urlencode: args(text),
  urldecode: args(either(text, oneOf("a+b", "%20", "%", "%2", "%zz", "%C3%BC", "%c3%bc%", "é%20", "%ᅗ", "%é"))),
  textencodebase64: args(charsetText, charset),
  textdecodebase64: args(base64, charset),
  basename: args(path),
  dirname: args(path),
  uuidv5: args(namespace, text),
  timecmp: args(timestamp, timestamp),
  cidrhost: args(prefix, either(whole(-5, 300), big, decimal)),
  cidrnetmask: args(prefix),
  cidrsubnet: args(prefix, either(whole(-1, 40), decimal), either(whole(-2, 300), big)),
  cidrsubnets: (random) => [prefix(random), ...random.times(random.int(4), () => either(whole(0, 12), whole(-1, 40))(random))],
  cidrcontains: args(prefix, either(address, prefix)),
  yamldecode: args(yaml),
  yamlencode: args(either(any, (random) => anyValue(random, 3, plain))),
};

/** Makes an argument null, unknown, marked, or of another type, or removes or adds one, in about a third of the calls. */
function disturbed(random: Random, given: readonly Json[]): readonly Json[] {
  const all = given as readonly ValueNotation[];
  if (all.length === 0 || random.chance(0.65)) return all;
  const at = random.int(all.length);
  const { t, v } = all[at]!;
  const replace = (by: ValueNotation): readonly ValueNotation[] => all.with(at, by);
  return random.weighted<() => readonly Json[]>([
    [4, () => replace({ t, v: unknownOf(random, t) })],
    [6, () => replace({ t, v: { $: "marked", m: random.pick([["sensitive"], ["ephemeral"], ["ephemeral", "sensitive"], ["m"]]), v } })],
    [2, () => replace({ t, v: { $: "null" } })],
    [1, () => replace(dynamicValue)],
    [1, () => replace(dynamicNull)],
    [2, () => replace(anyValue(random, 1, unmarked))],
    [2, () => replace(nearValue(random, { t, v }, unmarked))],
    [1, () => all.slice(1)],
    [1, () => [...all, all[at]!]],
  ])();
}

/** The arguments of the oracle's operations for the value and the type of each call. */
export const engineFunctionCases: Readonly<Record<string, Arguments>> = Object.fromEntries(
  Object.entries(own).flatMap(([name, make]): [string, Arguments][] => [
    [`opentofu.${name}`, (random) => disturbed(random, make(random))],
    [`opentofu.${name}.returnType`, (random) => disturbed(random, make(random))],
  ]),
);
