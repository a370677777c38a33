// SPDX-License-Identifier: Apache-2.0
import type { Case, ValueNotation } from "../notation.ts";
import { ask, bits, decimal, double, each, infinity, integer, minusInfinity, minusZero, set, string, value } from "./build.ts";

/** Numbers that are equal, or nearly, at different precisions. */
const numbers: readonly ValueNotation[] = [
  integer(0),
  minusZero,
  decimal("0.1"),
  double("0.1"),
  decimal("0.3"),
  double("0.30000000000000004"),
  decimal("0.1000000000055511151231257827021181583404541015625"),
  integer(2n ** 63n - 1n),
  decimal("9223372036854775807"),
  decimal("9223372036854775808"),
  double("9223372036854775807"),
  decimal("1e21"),
  decimal("12345678901"),
  decimal("12345678902"),
  decimal("12345678901.5"),
  bits("0x.8p+1", 3),
  infinity,
  minusInfinity,
];

/** hash grammar, order and identity of set elements. */
const setCases: readonly Case[] = [
  ...each("value.hash", numbers),
  ask("value.set", numbers),
  ask("value.set", [integer(0), minusZero]),
  ask("value.set", [minusZero, integer(0)]),
  ask("value.self", value(["set", "number"], [{ n: "2" }, { n: "12" }, { n: "1" }, { $: "null" }, { $: "unknown" }, { $: "unknown" }])),
  ask("value.self", value(["set", ["tuple", ["number"]]], [[{ n: "2" }], [{ n: "12" }], [{ n: "1" }]])),
  ask("value.self", value(["set", ["list", "string"]], [[], ["boop"], ["a", "b"], ["ab"]])),
  ask("value.self", value(["set", "bool"], [true, false, { $: "null" }, { $: "unknown" }])),
  ask("value.self", set("string", "\ue000", "\u{10000}", "\uffff", "z", "Z", "")),
  ask("value.self", set("string", "\u00ad", "a\u00ad", "\u{e0001}", "\u200b")),
  ask("value.self", value(["set", ["map", "string"]], [[["b", "1"]], [["a", "2"]], []])),
  ask(
    "value.self",
    value(
      ["set", ["object", { a: "string", b: "number" }]],
      [
        [
          ["a", "x"],
          ["b", { n: "2" }],
        ],
        [
          ["a", "x"],
          ["b", { n: "10" }],
        ],
        [
          ["a", { $: "null" }],
          ["b", { n: "1" }],
        ],
      ],
    ),
  ),
  ask("value.self", value(["set", ["set", "number"]], [[{ n: "1" }, { n: "2" }], [{ n: "2" }, { n: "1" }], []])),
  ask("value.self", value(["set", "string"], [{ $: "marked", m: ["a"], v: "x" }, "x", { $: "marked", m: ["b"], v: "y" }])),
  ...[
    ["a", "b"],
    ["a", "a"],
    ["\u00e9", "e\u0301"],
  ].map((texts) => ask("value.set", texts.map(string))),
];

/** Edge cases for segmentation, normal forms, quoting and trimming. */
const texts: readonly string[] = [
  "",
  "abc",
  "e\u0301",
  "\u00e9",
  "क्ष",
  "क्\u200dष",
  "நி",
  "👨‍👩‍👧‍👦!",
  "🇩🇪🇫🇷🇩",
  "👍🏽",
  "\r\n",
  "\n\r",
  "a\u0300\u0323",
  "각\u11a8",
  "\u1100\u1161\u11a8\u11a8",
  "\u0600a",
  "a\u200db",
  "☺️",
  "a".repeat(3) + "\u0301".repeat(40),
  "foo-",
  "foo:",
  "foo ",
  "foo\t",
  "foo(",
  "fo\u00f6",
  "https://example.com/",
  "https://example.com/é",
  "arn:aws:s3:::b",
  "\u2028\u0000\u007f\u00a0\u00ad\ufeff",
  '"\\',
  "\ufffd",
  "\u{1f3fb}",
  "\u{e0020}",
  "ﬀ",
];

/** Combining characters: long runs, vowel signs that are starters, Korean letters, characters newer than Unicode 15.0. */
const combining: readonly string[] = [
  `a${"\u0316".repeat(30)}`,
  `a${"\u0316".repeat(31)}`,
  `a${"\u0301\u0316".repeat(40)}`,
  `\u00a8${"\u0316".repeat(30)}`,
  `a${"\uff9e".repeat(40)}`,
  "\u0301\u0316",
  "a\u0dcf\u0316\u0300",
  "e\uff9f\u0356\u0302",
  "\u0dd9\u0dcf\u0dca",
  "\u1100\u1161\u0316\u11a8",
  "e\u0897\u0301",
  "\u0344\u1e9b\u0323",
  "\u{11099}\u{110ba}",
  "\u{1d15e}\u{1d165}",
];

const stringCases: readonly Case[] = [
  ...["str.nfc", "str.safePrefix"].flatMap((op) => each(op, [...texts, ...combining])),
  ...texts.map((text) => ask("value.self", string(text))),
  ...texts.map((text) => ask("value.hash", string(text))),
  ...texts.map((text) => ask("value.gostring", string(text))),
  ...texts.map((text) => ask("value.refine", value("string", { $: "unknown" }), { prefixTrimmed: text })),
  ...texts.map((text) => ask("value.refine", value("string", { $: "unknown" }), { prefix: text })),
];

const numberTexts: readonly string[] = [
  "0",
  "-0",
  "+0",
  "1",
  "01",
  "1.",
  ".5",
  "-.5",
  "5.e1",
  "1e500",
  "1e-500",
  "1p10",
  "1P-3",
  "0x10",
  "0b1",
  "1_0",
  " 1",
  "1 ",
  "Inf",
  "inf",
  "+Inf",
  "-inf",
  "Infinity",
  "NaN",
  "1e",
  "e1",
  ".",
  "",
  "1.50",
  "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
  "0.333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333",
];

/** parsing, precision, equality by text and order by value. */
const numberCases: readonly Case[] = [
  ...each("num.parse", numberTexts),
  ...["value.equals", "value.lt", "value.rawEquals", "value.add", "value.sub", "value.mul", "value.div", "value.mod"].flatMap((op) =>
    numbers.flatMap((a) => numbers.map((b) => ask(op, a, b))),
  ),
  ...[
    "3fb999999999999a",
    "0000000000000001",
    "000fffffffffffff",
    "0010000000000000",
    "7fefffffffffffff",
    "3e70000000000000",
    "43f0000000000000",
    "4340000000000001",
    "4350000000000003",
    "8000000000000000",
    "7ff0000000000000",
    "fff0000000000000",
    "7ff8000000000000",
  ].map((bitsOf) => ask("num.float", bitsOf)),
];

export const setsAndStrings: readonly Case[] = [...setCases, ...stringCases, ...numberCases];
