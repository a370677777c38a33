// SPDX-License-Identifier: Apache-2.0
import type { ConfigRule, Reference, RuleFinding, RuleView } from "../definition/config-rule.ts";
import type { PathExpression } from "../paths/path-expression.ts";

/** Defines a rule that reports errors. `check` returns the attribute and the text of each error. */
export function rule<N extends string>(
  references: readonly Reference<N>[],
  description: string,
  check: (view: RuleView) => readonly Omit<RuleFinding, "severity">[],
): ConfigRule<N> {
  return { ...taken(references), description, check: (view) => check(view).map((finding) => ({ severity: "error", ...finding })) };
}

/** Splits references into names and path expressions. */
export function taken<N extends string>(references: readonly Reference<N>[]): Pick<ConfigRule<N>, "attributes" | "expressions"> {
  const expressions = references.filter((one): one is PathExpression => typeof one !== "string");
  return {
    attributes: references.filter((one): one is N => typeof one === "string"),
    ...(expressions.length === 0 ? {} : { expressions }),
  };
}

/** Joins names: `a, b and c`. */
export function listed(names: readonly { toString: () => string }[]): string {
  const texts = names.map(String);
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}
