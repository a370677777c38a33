// SPDX-License-Identifier: Apache-2.0
import type { ConfigRule } from "../rules/rule.ts";
import type { Faults } from "./fault.ts";
import { expressionFault } from "../paths/matched-places.ts";
import { resolved, type ExpressionStep, type PathExpression } from "../paths/path-expression.ts";
import { bodyOf, hasEntries, type ObjectShape } from "./shape.ts";

/** The shape with its rules; one that names what no configuration can have goes to `faults`. */
export function withRules(shape: ObjectShape, rules: unknown, path: readonly string[], faults: Faults): ObjectShape {
  if (rules === undefined) return shape;
  if (!Array.isArray(rules) || !rules.every(isRule)) {
    faults.add(path, "rules is a list of rules, such as exactlyOneOf(…)");
    return shape;
  }
  for (const { attributes, description } of rules) {
    for (const name of attributes) {
      const entry = shape.byName.get(name);
      const text = `the rule ${JSON.stringify(description)} names ${JSON.stringify(name)}`;
      if (entry === undefined) faults.add(path, `${text}, which is not there`);
      else if (!entry.configurable) faults.add([...path, name], `${text}, which only the provider sets`);
    }
  }
  return { ...shape, rules };
}

/** What is wrong with the places elsewhere that rules of a whole schema name. */
export function* ruleExpressionFaults(
  root: ObjectShape,
  shape: ObjectShape = root,
  base: readonly ExpressionStep[] = [],
): Generator<readonly [path: readonly string[], fault: string]> {
  const path = base.flatMap((step) => (step.kind === "attribute" ? [step.name] : []));
  for (const { expressions = [], description } of shape.rules ?? []) {
    for (const expression of expressions) {
      const fault = faultOf(root, expression, base);
      if (fault !== undefined) yield [path, `the rule ${JSON.stringify(description)} names ${String(expression)}: ${fault}`];
    }
  }
  for (const entry of shape.entries) {
    if (!hasEntries(entry)) continue;
    const at: ExpressionStep[] = [...base, { kind: "attribute", name: entry.name }];
    const element = { list: "anyIndex", map: "anyKey", set: "anyElement" } as const;
    if ("element" in entry.shape) at.push({ kind: element[entry.shape.kind] });
    yield* ruleExpressionFaults(root, bodyOf(entry), at);
  }
}

function faultOf(root: ObjectShape, expression: PathExpression, base: readonly ExpressionStep[]): string | undefined {
  try {
    return expressionFault(root, resolved(expression, base));
  } catch (error) {
    return (error as Error).message;
  }
}

function isRule(candidate: unknown): candidate is ConfigRule<string> {
  if (typeof candidate !== "object" || candidate === null) return false;
  const { attributes, check } = candidate as Partial<ConfigRule<string>>;
  return Array.isArray(attributes) && typeof check === "function";
}
