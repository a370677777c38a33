// SPDX-License-Identifier: Apache-2.0
import type { ConfigRule } from "../definition/config-rule.ts";
import type { Faults } from "./fault.ts";
import { expressionFault } from "../shape/matched-places.ts";
import { resolved, type ExpressionStep, type PathExpression } from "../paths/path-expression.ts";
import { bodyOf, hasEntries, type ObjectShape } from "../shape/shape.ts";

/** Adds rules to a shape. Adds a fault for every rule that names an attribute that no configuration can set. */
export function withRules(shape: ObjectShape, rules: unknown, path: readonly string[], faults: Faults): ObjectShape {
  if (rules === undefined) return shape;
  if (!Array.isArray(rules) || !rules.every(isRule)) {
    faults.add(path, "rules must be a list of rules, such as exactlyOneOf(…)");
    return shape;
  }
  for (const { attributes, description } of rules) {
    for (const name of attributes) {
      const entry = shape.byName.get(name);
      const text = `the rule ${JSON.stringify(description)} names ${JSON.stringify(name)}`;
      if (entry === undefined) faults.add(path, `${text}, which does not exist`);
      else if (!entry.configurable) faults.add([...path, name], `${text}, which only the provider sets`);
    }
  }
  return { ...shape, rules };
}

/** Checks the path expressions in the rules of a whole schema. */
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
