// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";

const letters: readonly string[] = [
  "a",
  "b",
  "c",
  "B",
  "k",
  "s",
  "é",
  "ß",
  "ſ",
  "\u212a",
  "Σ",
  "ς",
  "1",
  "_",
  ":",
  "-",
  "^",
  "]",
  " ",
  "\n",
  "日",
  "😀",
];
const members: readonly string[] = [
  ...letters.filter((letter) => letter !== "]"),
  "a-c",
  "A-Z",
  "0-9",
  "\\d",
  "\\W",
  "\\s",
  "\\]",
  "\\-",
  "\\n",
  "\\x41",
  "\\x{e9}",
  "\\pL",
  "\\p{Lu}",
  "\\P{Greek}",
  "[:alpha:]",
  "[:^digit:]",
  "[:word:]",
  "[",
  "[:",
];
const atoms: readonly string[] = [
  ".",
  "^",
  "$",
  "\\b",
  "\\B",
  "\\A",
  "\\z",
  "\\d",
  "\\w",
  "\\S",
  "\\pN",
  "\\p{^Lu}",
  "\\x{1F600}",
  "\\.",
  "\\Q.\\E",
  "[[:punct:]]",
];
const flags: readonly string[] = ["i", "s", "m", "U", "-i", "is", "im-s"];
const quantifiers: readonly string[] = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,}", "{,2}", "{2,1}"];

/** A regular expression, mostly a valid one. */
export function patternText(random: Random, depth: number = 2): string {
  const pieces = random.times(random.int(4) + 1, () => quantified(random, atom(random, depth)));
  const pattern = pieces.join("");
  return random.chance(0.15) ? `${pattern}|${random.pick(letters)}` : pattern;
}

function quantified(random: Random, piece: string): string {
  return random.chance(0.3) ? piece + random.pick(quantifiers) : piece;
}

function atom(random: Random, depth: number): string {
  return random.weighted<() => string>([
    [5, () => random.pick(letters).replace(/[\^\]]/, "\\$&")],
    [3, () => random.pick(atoms)],
    [4, () => bracket(random)],
    [depth > 0 ? 2 : 0, () => `(${patternText(random, depth - 1)})`],
    [depth > 0 ? 1 : 0, () => `(?:${patternText(random, depth - 1)})`],
    [depth > 0 ? 1 : 0, () => `(?P<${random.pick(["n", "m", "a1", "é"])}>${patternText(random, depth - 1)})`],
    [depth > 0 ? 1 : 0, () => `(?${random.pick(flags)}:${patternText(random, depth - 1)})`],
    [1, () => `(?${random.pick(flags)})`],
  ])();
}

function bracket(random: Random): string {
  const open = random.pick(["[", "[", "[^", "[]", "[^]"]);
  return `${open}${random.times(random.int(3) + 1, () => random.pick(members)).join("")}]`;
}

/** Text that such an expression often matches. */
export function textForPattern(random: Random): string {
  return random.times(random.int(10), () => random.pick(letters)).join("");
}
