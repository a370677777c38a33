// SPDX-License-Identifier: Apache-2.0
import type { Expression } from "../syntax/expression.ts";
import { rootName, type Traversal } from "../syntax/traversal.ts";
import { childrenOf } from "./children.ts";
import { jsonTemplates } from "./json-templates.ts";

/** Names that the expressions around a node define. */
type Local = ReadonlySet<string>;

/** An expression that is still to be visited. */
interface Waiting {
  readonly expression: Expression;
  readonly local: Local;
}

/**
 * References to variables in an expression, in source order. A scope needs these variables to evaluate the expression. Names that the
 * expression itself defines are not included.
 *
 * @see hclsyntax.Variables
 */
export function variables(expression: Expression): readonly Traversal[] {
  const found: Traversal[] = [];
  // Chains of operators and indices nest deeper than functions can call each other.
  const waiting: Waiting[] = [{ expression, local: new Set() }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) waiting.push(...collect(next, found).toReversed());
  return found;
}

/** Adds the references of a node, and returns the expressions in it. */
function collect({ expression, local }: Waiting, found: Traversal[]): readonly Waiting[] {
  const within = (parts: readonly (Expression | undefined)[], names: Local = local): readonly Waiting[] =>
    parts.filter((part) => part !== undefined).map((part) => ({ expression: part, local: names }));
  const isOuter = (traversal: Traversal): boolean => !local.has(rootName(traversal)!);
  switch (expression.kind) {
    case "scopeTraversal":
      if (isOuter(expression.traversal)) found.push(expression.traversal);
      return [];
    case "objectKey":
      // A bare word stands for itself, whether in parentheses or not.
      return isWord(expression.wrapped) ? [] : within([expression.wrapped]);
    case "for": {
      const { keyName, valueName, collection, key, value, condition } = expression;
      const inner = new Set([...local, valueName, ...(keyName === undefined ? [] : [keyName])]);
      return [...within([collection]), ...within([key, value, condition], inner)];
    }
    case "scoped":
      return within([expression.inner], new Set([...local, ...expression.variables.keys()]));
    case "json":
      // Each template is evaluated separately, so names of the surrounding expression do not apply.
      for (const template of jsonTemplates(expression.node)) found.push(...variables(template));
      return [];
    case "derived":
      found.push(...expression.variables().filter(isOuter));
      return [];
    default:
      // An expression contains only expressions.
      return within(childrenOf(expression) as readonly Expression[]);
  }
}

function isWord(expression: Expression): boolean {
  if (expression.kind === "scopeTraversal") return expression.traversal.length === 1;
  return expression.kind === "literal" && (expression.value.payload === null || typeof expression.value.payload === "boolean");
}
