// SPDX-License-Identifier: Apache-2.0
import type { Expression } from "./expression.ts";
import type { SourceRange } from "./position.ts";
import { rangeBetween } from "./range.ts";

/** The first part of an expression, for messages about the whole of it. @see hcl.Expression StartRange */
export function startRange(expression: Expression): SourceRange {
  switch (expression.kind) {
    case "parentheses":
      return startRange(expression.inner);
    case "functionCall":
      return rangeBetween(expression.nameRange, expression.openRange);
    case "conditional":
      return startRange(expression.condition);
    case "binary":
      return startRange(leftmost(expression));
    case "unary":
      return expression.operatorRange;
    case "index":
    case "tuple":
    case "object":
    case "for":
      return expression.openRange;
    case "objectKey":
      return startRange(expression.wrapped);
    case "splat":
      return expression.markerRange;
    case "template":
      return expression.parts[0] === undefined ? expression.range : startRange(expression.parts[0]);
    case "templateJoin":
      return startRange(expression.tuple);
    case "scoped":
      return startRange(expression.inner);
    case "json":
      return "openRange" in expression.node ? expression.node.openRange : expression.range;
    default:
      return expression.range;
  }
}

/** The leftmost operand of a chain of operators, found without recursion because a chain can be long. */
function leftmost(expression: Expression): Expression {
  let at = expression;
  while (at.kind === "binary") at = at.left;
  return at;
}
