// SPDX-License-Identifier: Apache-2.0
import type { ConfigRule, RuleFinding } from "../definition/config-rule.ts";

/**
 * Requires at least one of the rules to pass, and reports the warnings of the first one that does. If none passes, reports the errors
 * of all.
 */
export function anyRule<const N extends string>(...rules: readonly [ConfigRule<N>, ...ConfigRule<N>[]]): ConfigRule<N> {
  return choice(rules, (found) => found.find((findings) => errorsIn(findings).length === 0) ?? found.flatMap(errorsIn));
}

/** {@link anyRule}, but reports the warnings of all rules. */
export function anyRuleWithAllWarnings<const N extends string>(...rules: readonly [ConfigRule<N>, ...ConfigRule<N>[]]): ConfigRule<N> {
  return choice(rules, (found) => {
    const holds = found.some((findings) => errorsIn(findings).length === 0);
    return found.flat().filter(({ severity }) => severity === "warning" || !holds);
  });
}

function choice<N extends string>(
  rules: readonly ConfigRule<N>[],
  judge: (found: readonly (readonly RuleFinding[])[]) => readonly RuleFinding[],
): ConfigRule<N> {
  const description = rules.map((one) => one.description).join(", or ");
  return { ...allOf(rules), description, check: (view) => judge(rules.map((one) => one.check(view))) };
}

function errorsIn(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  return findings.filter(({ severity }) => severity === "error");
}

/** Requires all rules to pass. Use it to combine rules into one branch of {@link anyRule}. */
export function everyRule<const N extends string>(...rules: readonly [ConfigRule<N>, ...ConfigRule<N>[]]): ConfigRule<N> {
  const description = rules.map((one) => one.description).join(", and ");
  return { ...allOf(rules), description, check: (view) => rules.flatMap((one) => one.check(view)) };
}

function allOf<N extends string>(rules: readonly ConfigRule<N>[]): Pick<ConfigRule<N>, "attributes" | "expressions"> {
  const expressions = rules.flatMap((one) => one.expressions ?? []);
  return {
    attributes: [...new Set(rules.flatMap(({ attributes }) => attributes))],
    ...(expressions.length === 0 ? {} : { expressions }),
  };
}
