// SPDX-License-Identifier: Apache-2.0
import type { Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { childrenOf } from "./children.ts";
import { jsonTemplates } from "./json-templates.ts";

/** A function that is called somewhere. */
export interface CalledFunction {
  /** With its namespaces: `provider::time::rfc3339_parse`. */
  readonly name: string;
  /** Where it is named. */
  readonly range: SourceRange;
}

/**
 * The calls in an expression, in the order of the source and each as often as it is there: what functions a scope must have to
 * evaluate it.
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
