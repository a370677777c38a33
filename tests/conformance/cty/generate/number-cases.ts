// SPDX-License-Identifier: Apache-2.0
import type { ValueNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyDouble, anyNumber, limitInteger, numberText } from "./numbers.ts";
import type { Arguments } from "./value-cases.ts";

const view = new DataView(new ArrayBuffer(8));

function bitsOfDouble(double: number): string {
  view.setFloat64(0, double);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

const value = (random: Random): ValueNotation => ({ t: "number", v: anyNumber(random) });
const values: Arguments = (random) => [value(random), value(random)];
const numbers: Arguments = (random) => [anyNumber(random)];

function integer(random: Random, from: bigint, to: bigint): string {
  const wanted = random.chance(0.5) ? limitInteger(random) : random.bits(64) - (from < 0n ? 2n ** 63n : 0n);
  return String(wanted < from ? from : wanted > to ? to : wanted);
}

/** Generators of arguments for operations on known numbers of all precisions. */
export const numberArguments: Readonly<Record<string, Arguments>> = {
  "num.parse": (random) => [numberText(random)],
  "num.int": (random) => [integer(random, -(2n ** 63n), 2n ** 63n - 1n)],
  "num.uint": (random) => [integer(random, 0n, 2n ** 64n - 1n)],
  "num.float": (random) => [bitsOfDouble(anyDouble(random))],
  "num.text_f": numbers,
  "num.bits": numbers,
  "num.isInt": numbers,
  "num.cmp": (random) => [anyNumber(random), anyNumber(random)],
  "value.add": values,
  "value.sub": values,
  "value.mul": values,
  "value.div": values,
  "value.mod": values,
  "value.neg": (random) => [value(random)],
  "value.abs": (random) => [value(random)],
  "value.lt": values,
  "value.gte": values,
  "value.equals": values,
  "value.hash": (random) => [value(random)],
  "value.set": (random) => [random.times(random.int(5) + 1, () => value(random))],
};
