// SPDX-License-Identifier: Apache-2.0
// How often resources and modules exist.
import { attributesOf, isBlock, type Attribute, type Block, type Entry } from "./block.ts";
import type { Draft } from "./draft.ts";
import { ExpressionWriter } from "./expression.ts";
import type { Item, Module, Repetition } from "./module.ts";
import { scopeOf } from "./scope.ts";

/** The keys of `for_each` sets and maps. */
export const eachKeys: readonly string[] = ["a", "b", "c", "key one"];

/** Chooses how often a resource or module exists, and adds the argument that says so. */
export function addRepetition(draft: Draft, module: Module, entries: Entry[]): Repetition {
  const repetition = draft.random.weighted([
    [6, "single"],
    [2, "count"],
    [3, "each"],
  ] as const);
  if (repetition === "count") entries.push({ name: "count", expression: countText(draft) });
  if (repetition === "each") entries.push({ name: "for_each", expression: eachText(draft, module) });
  if (repetition !== "single") draft.constructs.add(repetition === "count" ? "count" : "for_each");
  return repetition;
}

/** The argument that says how often an object exists. */
export function repetitionOf(block: Block): Attribute | undefined {
  return block.entries.find((entry): entry is Attribute => !isBlock(entry) && (entry.name === "count" || entry.name === "for_each"));
}

/** A value for `count`. */
export function countText(draft: Draft): string {
  return draft.random.pick(["0", "1", "2", "3", "length([1, 2])", "true ? 2 : 1"]);
}

/** A value for `for_each`. Its keys are known, except for a few. */
export function eachText(draft: Draft, module: Module, item?: Item): string {
  const { random } = draft;
  const chosen = eachKeys.filter(() => random.chance(0.5));
  const wantsAny = random.chance(0.03);
  // A provider configuration has instances only for these keys.
  const isKeyOfProvider =
    item !== undefined && [...attributesOf(item.block)].some(({ expression }) => /\.each\[each\.key/.test(expression));
  const writer = new ExpressionWriter(
    draft,
    scopeOf(module, item).filter(({ text }) => !/^(each|count)\./.test(text)),
  );
  if (random.chance(0.5) || isKeyOfProvider) return `toset(${JSON.stringify(chosen)})`;
  if (random.chance(0.7)) {
    const value = (): string => writer.write({ kind: "string", open: true, inline: true }, 1).text;
    return `{ ${chosen.map((key) => `"${key}" = ${value()}`).join(", ")} }`;
  }
  return writer.write({ kind: { set: "string" }, open: true, nonNull: true, known: !wantsAny }, 1).text;
}
