// SPDX-License-Identifier: Apache-2.0
import type { ValueNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import type { Arguments } from "./value-cases.ts";

/** Makes a random argument. */
export type Make = (random: Random) => ValueNotation;

/** One argument of each kind, in order. */
export function args(...makes: readonly Make[]): Arguments {
  return (random) => makes.map((make) => make(random));
}

/** A random number of arguments of one kind, within bounds. */
export function some(from: number, to: number, make: Make): Arguments {
  return (random) => random.times(from + random.int(to - from + 1), () => make(random));
}
