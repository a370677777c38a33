// SPDX-License-Identifier: Apache-2.0
/*
 * What can be told of an expression without evaluating it: for parts of a language that take the names, lists and calls in an
 * expression literally.
 */
import { parseExpression, parseTraversal } from "../parse/parse.ts";
import { errorAt, hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { JsonExpression, JsonNode } from "../syntax/json.ts";
import { rangeBetween, type SourceRange } from "../syntax/position.ts";
import type { Traversal } from "../syntax/traversal.ts";
import { startRange } from "../syntax/start-range.ts";

/** A function call taken literally. */
export interface StaticCall {
  readonly name: string;
  readonly nameRange: SourceRange;
  readonly arguments: readonly Expression[];
  /** With the parentheses. */
  readonly argumentsRange: SourceRange;
}

export interface KeyValuePair {
  readonly key: Expression;
  readonly value: Expression;
}

const none: readonly Diagnostic[] = [];

function invalid(detail: string, subject: SourceRange): readonly Diagnostic[] {
  return [errorAt("Invalid expression", detail, subject)];
}

/** The expression itself, without the variables that were added to it. */
function unscoped(expression: Expression): Exclude<Expression, { readonly kind: "scoped" }> {
  let at = expression;
  while (at.kind === "scoped") at = at.inner;
  return at;
}

/**
 * The reference that an expression is, with its variable first; undefined, and a diagnostic, for anything else.
 *
 * @see hcl.AbsTraversalForExpr
 */
export function absoluteTraversal(expression: Expression): { readonly traversal?: Traversal; readonly diagnostics: readonly Diagnostic[] } {
  const traversal = asTraversal(expression);
  if (traversal !== undefined) return { traversal, diagnostics: none };
  const detail =
    "A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.";
  return { diagnostics: invalid(detail, expression.range) };
}

/**
 * {@link absoluteTraversal}, for references into something that is understood: they begin with an attribute.
 *
 * @see hcl.RelTraversalForExpr
 */
export function relativeTraversal(expression: Expression): { readonly traversal?: Traversal; readonly diagnostics: readonly Diagnostic[] } {
  const { traversal, diagnostics } = absoluteTraversal(expression);
  const root = traversal?.[0];
  if (traversal === undefined || root?.kind !== "root") return { diagnostics };
  return { traversal: [{ kind: "attribute", name: root.name, range: root.range }, ...traversal.slice(1)], diagnostics };
}

/** The single word that an expression is; undefined for anything else. @see hcl.ExprAsKeyword */
export function keywordOf(expression: Expression): string | undefined {
  const traversal = asTraversal(expression);
  return traversal?.length === 1 && traversal[0]?.kind === "root" ? traversal[0].name : undefined;
}

function asTraversal(given: Expression): Traversal | undefined {
  const expression = unscoped(given);
  switch (expression.kind) {
    case "scopeTraversal":
      return expression.traversal;
    case "relativeTraversal": {
      const source = asTraversal(expression.source);
      return source && [...source, ...expression.traversal];
    }
    case "literal": {
      const { payload } = expression.value;
      const word = payload === null ? "null" : typeof payload === "boolean" ? String(payload) : undefined;
      return word === undefined ? undefined : [{ kind: "root", name: word, range: expression.range }];
    }
    case "objectKey":
      return expression.forceNonLiteral ? undefined : asTraversal(expression.wrapped);
    case "json": {
      const { node } = expression;
      if (node.kind !== "jsonString") return undefined;
      const { traversal, diagnostics } = parseTraversal(node.value, node.range.filename, { start: node.range.start });
      return hasErrors(diagnostics) ? undefined : traversal;
    }
    default:
      return undefined;
  }
}

/** The elements of a list that is written out. @see hcl.ExprList */
export function expressionList(given: Expression): { readonly list?: readonly Expression[]; readonly diagnostics: readonly Diagnostic[] } {
  const expression = unscoped(given);
  if (expression.kind === "tuple") return { list: expression.elements, diagnostics: none };
  if (expression.kind === "json" && expression.node.kind === "jsonArray") {
    return { list: expression.node.elements.map(jsonExpression), diagnostics: none };
  }
  return { diagnostics: invalid("A static list expression is required.", startRange(given)) };
}

/** The keys and values of an object that is written out. @see hcl.ExprMap */
export function expressionMap(given: Expression): { readonly map?: readonly KeyValuePair[]; readonly diagnostics: readonly Diagnostic[] } {
  const expression = unscoped(given);
  if (expression.kind === "object") return { map: expression.items, diagnostics: none };
  if (expression.kind === "json" && expression.node.kind === "jsonObject") {
    const pairs = expression.node.members.map(({ name, nameRange, value }) => ({
      key: jsonExpression({ kind: "jsonString", value: name, range: nameRange }),
      value: jsonExpression(value),
    }));
    return { map: pairs, diagnostics: none };
  }
  return { diagnostics: invalid("A static map expression is required.", startRange(given)) };
}

/** The call that an expression is; in JSON, that its string is as a native expression. @see hcl.ExprCall */
export function staticCall(given: Expression): { readonly call?: StaticCall; readonly diagnostics: readonly Diagnostic[] } {
  const expression = unscoped(given);
  if (expression.kind === "functionCall") {
    const { name, nameRange, arguments: args, openRange, closeRange } = expression;
    return { call: { name, nameRange, arguments: args, argumentsRange: rangeBetween(openRange, closeRange) }, diagnostics: none };
  }
  if (expression.kind === "json" && expression.node.kind === "jsonString") {
    const { value, range } = expression.node;
    const parsed = parseExpression(value, range.filename, { start: range.start });
    const { call } = hasErrors(parsed.diagnostics) ? {} : staticCall(parsed.expression);
    if (call !== undefined) return { call, diagnostics: none };
  }
  return { diagnostics: invalid("A static function call is required.", startRange(given)) };
}

function jsonExpression(node: JsonNode): JsonExpression {
  return { kind: "json", node, range: node.range };
}
