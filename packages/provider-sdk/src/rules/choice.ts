// SPDX-License-Identifier: Apache-2.0
import { rule, type ConfigRule } from "./rule.ts";

/** One of the rules holds, or more. Where none does, what each has found is reported. Warnings are left out. */
export function anyRule<const N extends string>(...rules: readonly [ConfigRule<N>, ...ConfigRule<N>[]]): ConfigRule<N> {
  const description = rules.map((one) => one.description).join(", or ");
  return rule(allOf(rules), description, (view) => {
    const found = rules.map((one) => one.check(view).filter(({ severity }) => severity === "error"));
    return found.some((findings) => findings.length === 0) ? [] : found.flat();
  });
}

/** All of the rules hold: one branch of {@link anyRule}. */
export function everyRule<const N extends string>(...rules: readonly [ConfigRule<N>, ...ConfigRule<N>[]]): ConfigRule<N> {
  const description = rules.map((one) => one.description).join(", and ");
  return { attributes: allOf(rules), description, check: (view) => rules.flatMap((one) => one.check(view)) };
}

function allOf<N extends string>(rules: readonly ConfigRule<N>[]): readonly N[] {
  return [...new Set(rules.flatMap(({ attributes }) => attributes))];
}
