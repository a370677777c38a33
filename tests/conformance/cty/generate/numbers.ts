// SPDX-License-Identifier: Apache-2.0
import type { NumberNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";

/** Decimal text of a number; it is parsed with 512 bits of precision. */
export function decimalText(random: Random): string {
  const sign = random.chance(0.25) ? "-" : "";
  const digits = (count: number): string => random.times(count, () => String(random.int(10))).join("");
  const whole = random.weighted<() => string>([
    [6, () => String(random.int(100))],
    [2, () => String(random.int(1_000_000))],
    [1, () => `${random.int(9) + 1}${digits(random.int(40))}`],
  ])();
  const fraction = random.weighted<() => string>([
    [5, () => ""],
    [5, () => `.${digits(random.int(3) + 1)}`],
    [1, () => `.${digits(random.int(60) + 1)}`],
    [1, () => `.${"0".repeat(random.int(30))}${digits(3)}`],
  ])();
  return `${sign}${whole}${fraction}`;
}

const limits: readonly bigint[] = [
  0n,
  1n,
  127n,
  128n,
  255n,
  256n,
  65535n,
  65536n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n,
  10n ** 18n,
  10n ** 20n,
];

/** An integer near the limit of an integer width. */
export function limitInteger(random: Random): bigint {
  const near = random.pick(limits) + BigInt(random.int(5) - 2);
  return random.chance(0.3) ? -near : near;
}

const int64 = 2n ** 63n;

/** A finite double, from random bits or from a list of common ones. */
export function anyDouble(random: Random): number {
  return random.weighted<() => number>([
    [4, () => (random.int(20_000) - 10_000) / 100],
    [
      2,
      () =>
        random.pick([
          0,
          -0,
          0.1,
          0.2,
          0.3,
          1.5,
          1 / 3,
          1e21,
          1e-7,
          5e-324,
          2.2250738585072014e-308,
          1.7976931348623157e308,
          2 ** -24,
          2 ** 64,
        ]),
    ],
    [1, () => 2 ** (random.int(200) - 100)],
    [2, () => doubleFromBits(random.bits(64))],
  ])();
}

const view = new DataView(new ArrayBuffer(8));

function doubleFromBits(bits: bigint): number {
  view.setBigUint64(0, bits);
  const double = view.getFloat64(0);
  return Number.isNaN(double) ? 0.5 : double;
}

/** Go's spelling of a double. */
export function doubleText(double: number): string {
  if (Object.is(double, -0)) return "-0";
  if (!Number.isFinite(double)) return double > 0 ? "+Inf" : "-Inf";
  return String(double);
}

/** A number of any precision, given by its bits. */
function anyBits(random: Random): NumberNotation {
  const precision = random.weighted([
    [4, 512],
    [2, 64],
    [2, 53],
    [1, 513 + random.int(200)],
    [1, 1 + random.int(511)],
  ]);
  let mantissa = random.bits(
    random.weighted([
      [2, precision],
      [2, 1 + random.int(precision)],
      [1, 1],
    ]),
  );
  if (mantissa === 0n) mantissa = 1n;
  const length = mantissa.toString(2).length;
  const digits = (mantissa << BigInt((4 - (length % 4)) % 4)).toString(16).replace(/0+$/, "");
  const exponent = random.weighted<() => number>([
    [5, () => random.int(80) - 40],
    [2, () => length],
    [1, () => random.int(1200) - 600],
  ])();
  return { p: precision, x: `${random.chance(0.3) ? "-" : ""}0x.${digits}p${exponent < 0 ? "" : "+"}${exponent}` };
}

/** Any number a value can hold. */
export function anyNumber(random: Random): NumberNotation {
  return random.weighted<() => NumberNotation>([
    [8, () => ({ n: String(random.int(12)), p: random.pick([64, 512]) })],
    [6, () => ({ n: decimalText(random), p: 512 })],
    [4, () => ({ n: doubleText(anyDouble(random)), p: 53 })],
    [3, () => integerNotation(limitInteger(random))],
    [3, () => anyBits(random)],
    [
      1,
      () =>
        random.pick<NumberNotation>([
          { p: 512, x: "+Inf" },
          { p: 512, x: "-Inf" },
          { p: 512, x: "-0" },
          { p: 53, x: "-0" },
          { p: 64, x: "0" },
        ]),
    ],
  ])();
}

function integerNotation(integer: bigint): NumberNotation {
  return { n: String(integer), p: integer >= -int64 && integer < 2n * int64 ? 64 : 512 };
}

/** An integer from a small range: an index, a count, a width. */
export function smallInteger(random: Random, from: number, to: number): NumberNotation {
  return { n: String(from + random.int(to - from + 1)), p: random.pick([64, 512]) };
}

/** Text for number parsers: every notation that Go accepts, and some invalid ones. Exponents are at most 9999. */
export function numberText(random: Random): string {
  return anySpelling(random).replace(/([ep][+-]?0*[1-9]\d{3})\d+/gi, "$1");
}

function anySpelling(random: Random): string {
  return random.weighted<() => string>([
    [6, () => decimalText(random)],
    [3, () => `${decimalText(random)}${random.pick(["e", "E"])}${random.pick(["", "+", "-"])}${random.int(random.pick([10, 30, 400]))}`],
    [1, () => `${random.int(1000)}${random.pick(["p", "P"])}${random.pick(["", "+", "-"])}${random.int(200)}`],
    [1, () => doubleText(anyDouble(random))],
    [
      1,
      () =>
        random.pick([
          ".5",
          "5.",
          "+1",
          "+.5e1",
          "-.0",
          "00012",
          "Inf",
          "inf",
          "+Inf",
          "-Inf",
          "-inf",
          "1e",
          "e1",
          ".",
          "",
          "+",
          "-",
          "0x10",
          "0b1",
          "1_000",
          " 1",
          "1 ",
          "NaN",
          "nan",
          "infinity",
          "1.2.3",
          "--1",
          "1e+-1",
          "１",
          "0e0",
          "-0e5",
          "1p",
          "0p9",
          "1e5p2",
        ]),
    ],
    [1, () => mangled(random, decimalText(random))],
  ])();
}

/** The text with one character changed, doubled or deleted. */
function mangled(random: Random, text: string): string {
  const at = random.int(text.length);
  return text.slice(0, at) + random.pick(["", "e", ".", "-", "p", " ", "9", "x"]) + text.slice(at + random.int(2));
}
