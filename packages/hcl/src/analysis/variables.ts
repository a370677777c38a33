// SPDX-License-Identifier: Apache-2.0
import { jsonTemplate } from "../evaluate/json-template.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { JsonNode } from "../syntax/json.ts";
import type { SourceRange } from "../syntax/position.ts";
import { rootName, type Traversal } from "../syntax/traversal.ts";

/**
 * The references to variables in an expression, in the order of the source: what a scope must have to evaluate it. Names that
 * the expression itself defines are not among them.
 *
 * @see hclsyntax.Variables
 */
export function variables(expression: Expression): readonly Traversal[] {
  const found: Traversal[] = [];
  collect(expression, new Set(), found);
  return found;
}

function collect(given: Expression, local: ReadonlySet<string>, found: Traversal[]): void {
  let expression = given;
  const within = (part: Expression): void => collect(part, local, found);
  // Chains of operators lean to the left, and can be long.
  const rights: Expression[] = [];
  while (expression.kind === "binary") {
    rights.push(expression.right);
    expression = expression.left;
  }
  if (rights.length > 0) {
    within(expression);
    for (const right of rights.reverse()) within(right);
    return;
  }
  switch (expression.kind) {
    case "scopeTraversal":
      if (!local.has(rootName(expression.traversal)!)) found.push(expression.traversal);
      return;
    case "parentheses":
      return within(expression.inner);
    case "relativeTraversal":
      return within(expression.source);
    case "functionCall":
      return expression.arguments.forEach(within);
    case "conditional":
      return [expression.condition, expression.trueResult, expression.falseResult].forEach(within);
    case "unary":
      return within(expression.operand);
    case "index":
      return [expression.collection, expression.key].forEach(within);
    case "tuple":
      return expression.elements.forEach(within);
    case "object":
      return expression.items.flatMap(({ key, value }): Expression[] => [key, value]).forEach(within);
    case "objectKey":
      // A bare word stands for itself, whether in parentheses or not.
      if (!isWord(expression.wrapped)) within(expression.wrapped);
      return;
    case "for": {
      within(expression.collection);
      const inner = new Set([...local, expression.valueName, ...(expression.keyName === undefined ? [] : [expression.keyName])]);
      for (const part of [expression.key, expression.value, expression.condition]) if (part !== undefined) collect(part, inner, found);
      return;
    }
    case "splat":
      return [expression.source, expression.each].forEach(within);
    case "template":
      return expression.parts.forEach(within);
    case "templateJoin":
      return within(expression.tuple);
    case "templateWrap":
      return within(expression.wrapped);
    case "json":
      return collectJson(expression.node, found);
    case "derived":
      found.push(...expression.variables().filter((traversal) => !local.has(rootName(traversal)!)));
      return;
    case "scoped": {
      const { inner, variables: own } = expression;
      found.push(...variables(inner).filter((traversal) => !own.has(rootName(traversal)!)));
      return;
    }
    default:
  }
}

function isWord(expression: Expression): boolean {
  if (expression.kind === "scopeTraversal") return expression.traversal.length === 1;
  return expression.kind === "literal" && (expression.value.payload === null || typeof expression.value.payload === "boolean");
}

function collectJson(node: JsonNode, found: Traversal[]): void {
  if (node.kind === "jsonString") {
    collectText(node.value, node.range, found);
  } else if (node.kind === "jsonArray") {
    for (const element of node.elements) collectJson(element, found);
  } else if (node.kind === "jsonObject") {
    for (const { name, nameRange, value } of node.members) {
      collectText(name, nameRange, found);
      collectJson(value, found);
    }
  }
}

function collectText(text: string, range: SourceRange, found: Traversal[]): void {
  const { expression, diagnostics } = jsonTemplate(text, range);
  if (!hasErrors(diagnostics)) found.push(...variables(expression));
}
