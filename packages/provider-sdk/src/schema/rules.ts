// SPDX-License-Identifier: Apache-2.0
import type { ConfigRule } from "../rules/rule.ts";
import type { Faults } from "./fault.ts";
import type { ObjectShape } from "./shape.ts";

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

function isRule(candidate: unknown): candidate is ConfigRule<string> {
  if (typeof candidate !== "object" || candidate === null) return false;
  const { attributes, check } = candidate as Partial<ConfigRule<string>>;
  return Array.isArray(attributes) && typeof check === "function";
}
