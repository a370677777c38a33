// SPDX-License-Identifier: Apache-2.0
import { randomInt } from "node:crypto";
import { TestingError } from "../error.ts";
import { type Random, randomFor } from "../generate/random.ts";
import { addressIn } from "./ip-address.ts";

/** The part of a test's context that names use: of vitest, or of `node:test`. */
export interface NamesContext {
  /** The test, in vitest. */
  readonly task?: { readonly name: string; readonly fullTestName?: string; readonly file?: { readonly name: string } };
  /** The test, in `node:test`. */
  readonly fullName?: string;
  readonly onTestFailed?: (report: () => void) => void;
  readonly diagnostic?: (message: string) => void;
}

/** Options of `randomNames`. */
export interface RandomNamesOptions {
  /** Text before each name, by which sweepers know the objects of tests. Default: `tenon-test-`. */
  readonly prefix?: string;
  /** A number from 0 to below 2³². Default: that of the environment variable `TENON_TEST_SEED`, else one for each process. */
  readonly seed?: number;
}

/** Random names and values of one test. The same seed and the same test give the same ones, in their order. */
export interface RandomNames {
  readonly prefix: string;
  readonly seed: number;
  /** A name for an object: the prefix, and 10 small letters and digits. */
  readonly name: () => string;
  /** A name with a prefix of its own after that of all names: `tenon-test-zone-k3v9x0q2ab`. */
  readonly withPrefix: (prefix: string) => string;
  /** A text of the given length. Default characters: small letters and digits. */
  readonly text: (length: number, characters?: string) => string;
  /** An integer from `min` to `max`, both included. Default: from 0 to 2³¹ - 1. */
  readonly int: (min?: number, max?: number) => number;
  /** An address in a range in CIDR notation, of IPv4 or IPv6. @throws TestingError `OPTIONS_INVALID` */
  readonly ipAddress: (cidr: string) => string;
}

/** The prefix of names, unless an option has another. */
export const standardPrefix = "tenon-test-";

const seedVariable = "TENON_TEST_SEED";
const seedLimit = 2 ** 32;
const nameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";
const nameLength = 10;
let processSeed: number | undefined;
let anonymous = 0;

/**
 * Creates the random names of a test. A failing test prints the seed that repeats them.
 *
 * @param context The context of the test, of vitest or `node:test`. Without one, the names depend on the number of such calls before in the process.
 * @throws TestingError `OPTIONS_INVALID` for an invalid seed
 *
 * @example
 * randomNames(undefined, { seed: 1, prefix: "dns-test-" }).prefix; // => "dns-test-"
 */
export function randomNames(
  context?: NamesContext,
  { prefix = standardPrefix, seed = defaultSeed() }: RandomNamesOptions = {},
): RandomNames {
  if (!Number.isInteger(seed) || seed < 0 || seed >= seedLimit)
    throw new TestingError("OPTIONS_INVALID", `the seed of random names must be an integer from 0 to below ${seedLimit}, and is ${seed}`);
  const label = labelOf(context);
  const random = label === undefined ? randomFor(seed, "names", anonymous++) : randomFor(seed, label, 0);
  const message = `The random names of this test had a seed: ${seedVariable}=${seed} repeats them.`;
  if (context?.onTestFailed) context.onTestFailed(() => console.error(message));
  else context?.diagnostic?.(message);
  const text = (length: number, characters = nameCharacters): string => textOf(random, length, characters);
  return {
    prefix,
    seed,
    name: () => prefix + text(nameLength),
    withPrefix: (more) => `${prefix}${more}-${text(nameLength)}`,
    text,
    int: (min = 0, max = 2 ** 31 - 1) => min + random.int(max - min + 1),
    ipAddress: (cidr) => addressIn(cidr, (bits) => random.bits(bits)),
  };
}

function textOf(random: Random, length: number, characters: string): string {
  const all = [...characters];
  return random.times(length, () => random.pick(all)).join("");
}

function labelOf(context: NamesContext | undefined): string | undefined {
  const { task, fullName } = context ?? {};
  return task === undefined ? fullName : `${task.file?.name ?? ""} ${task.fullTestName ?? task.name}`;
}

function defaultSeed(): number {
  const given = process.env[seedVariable] ?? "";
  if (given === "") return (processSeed ??= randomInt(seedLimit));
  if (/^\d{1,10}$/.test(given)) return Number(given);
  throw new TestingError("OPTIONS_INVALID", `${seedVariable} must be an integer from 0 to below ${seedLimit}, and is ${given}`);
}
