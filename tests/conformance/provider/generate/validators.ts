// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import type { TypeDeclaration, ValidatorDeclaration } from "../declaration.ts";

/** Texts for configurations; validators and plan modifiers mention some of them. */
export const texts: readonly string[] = ["a", "b", "ab", "abc", "Alpha", "alpha", "ALPHA", "é", "refused", "", "none of these"];
export const spellings: readonly string[] = ["one", "One", "ONE", "two", "TWO", "three"];
export const wholeNumbers: readonly number[] = [0, 1, 2, 3, 4, 5, 6, -1, 100];
export const fractions: readonly number[] = [0, 0.5, 1, 1.25, 2, 3, -0.75, 64];
/** Numbers as text, because some have no exact double. */
export const exactNumbers: readonly string[] = ["0", "1", "1.5", "-2", "0.1", "12345678901234567890", "3.00000000000000000001"];

/** Chooses up to two validators. */
export function makeValidators(random: Random, type: TypeDeclaration): readonly ValidatorDeclaration[] {
  if (!random.chance(0.3)) return [];
  const first = makeValidator(random, type, 0);
  if (first === undefined) return [];
  const second = random.chance(0.15) ? makeValidator(random, type, 0) : undefined;
  return second === undefined ? [first] : [first, second];
}

function makeRange(random: Random, least: number, most: number): Pick<ValidatorDeclaration, "min" | "max"> {
  const min = least + random.int(2);
  const max = Math.max(min, most - random.int(2));
  return random.pick([{ min }, { max }, { min, max }]);
}

function makeValidator(random: Random, type: TypeDeclaration, depth: number): ValidatorDeclaration | undefined {
  switch (type.kind) {
    case "string":
    case "caseless":
      return makeTextValidator(random, type.kind === "string" ? texts : spellings, depth);
    case "bool":
      return { rule: "oneOf", values: [random.chance(0.7)] };
    case "int32":
    case "int64":
      return makeNumberValidator(random, wholeNumbers);
    case "float32":
    case "float64":
      return makeNumberValidator(random, fractions);
    case "number":
      return { rule: random.pick(["oneOf", "noneOf"]), values: [1, 1.5, -2].slice(random.int(3)) };
    case "list":
      return random.pick<ValidatorDeclaration>([
        { rule: "size", ...makeRange(random, 0, 3) },
        { rule: "uniqueElements" },
        { rule: "noNullElements" },
      ]);
    case "set":
      return random.pick<ValidatorDeclaration>([{ rule: "size", ...makeRange(random, 0, 3) }, { rule: "noNullElements" }]);
    case "map":
      return random.pick<ValidatorDeclaration>([
        { rule: "size", ...makeRange(random, 0, 3) },
        { rule: "noNullElements" },
        { rule: "eachKey", among: [{ rule: "stringLength", min: 1, max: 2 }] },
      ]);
    default:
      return undefined;
  }
}

function makeNumberValidator(random: Random, values: readonly number[]): ValidatorDeclaration {
  if (random.chance(0.6)) return { rule: "between", ...makeRange(random, 0, 5) };
  const from = random.int(4);
  return { rule: random.pick(["oneOf", "noneOf"]), values: values.slice(from, from + 4) };
}

function makeTextValidator(random: Random, values: readonly string[], depth: number): ValidatorDeclaration {
  const from = random.int(4);
  const some = values.slice(from, from + 4);
  const alternatives = (): readonly ValidatorDeclaration[] => random.times(2, () => makeTextValidator(random, values, depth + 1));
  return random.weighted<() => ValidatorDeclaration>([
    [3, () => ({ rule: "stringLength", ...makeRange(random, 0, 5) })],
    [2, () => ({ rule: "utf8Length", ...makeRange(random, 0, 5) })],
    [2, () => ({ rule: "matches", pattern: random.pick(["^[a-z]*$", "a", "^.?$"]) })],
    [2, () => ({ rule: "oneOf", values: some })],
    [2, () => ({ rule: "noneOf", values: some })],
    [1, () => ({ rule: "oneOfIgnoringCase", values: some })],
    [1, () => ({ rule: "noneOfIgnoringCase", values: some })],
    [depth === 0 ? 1 : 0, () => ({ rule: "anyOf", among: alternatives() })],
    [depth === 0 ? 1 : 0, () => ({ rule: "allOf", among: alternatives() })],
  ])();
}

/** Generates a default as JSON. */
export function makeDefault(random: Random, type: TypeDeclaration): unknown {
  switch (type.kind) {
    case "string":
    case "dynamic":
      return random.pick(["a", "alpha", "default"]);
    case "caseless":
      return random.pick(spellings);
    case "bool":
      return random.chance(0.5);
    case "int32":
    case "int64":
      return random.pick(wholeNumbers);
    case "float32":
    case "float64":
      return random.pick(fractions);
    case "number":
      return random.pick([0, 1, 1.5, -2]);
    case "list":
    case "set":
      return random.chance(0.3) ? [] : [makeDefault(random, type.element)];
    case "map":
      return random.chance(0.3) ? {} : { k: makeDefault(random, type.element) };
    default:
      return Object.fromEntries(Object.entries(type.members).map(([name, member]) => [name, makeDefault(random, member)]));
  }
}
