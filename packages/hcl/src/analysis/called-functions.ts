// SPDX-License-Identifier: Apache-2.0
import type { CalledFunction } from "../syntax/called-function.ts";
import type { Expression } from "../syntax/expression.ts";
import { childrenOf } from "./children.ts";
import { jsonTemplates } from "./json-templates.ts";

/**
 * Function calls in an expression, in source order and with repetitions. A scope needs these functions to evaluate the expression.
 *
 * @see hclsyntax.Functions of OpenTofu's HCL
 *
 * @example
 * calledFunctions(parseExpression("provider::x::f(upper(a))", "").expression).map(({ name }) => name)
 * // => ["provider::x::f", "upper"]
 */
export function calledFunctions(expression: Expression): readonly CalledFunction[] {
  const found: CalledFunction[] = [];
  const waiting: Expression[] = [expression];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "functionCall") found.push({ name: next.name, range: next.nameRange });
    if (next.kind === "derived") found.push(...next.calledFunctions());
    const inside = next.kind === "json" ? jsonTemplates(next.node) : (childrenOf(next) as readonly Expression[]);
    waiting.push(...inside.toReversed());
  }
  return found;
}
