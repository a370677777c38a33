// SPDX-License-Identifier: Apache-2.0
/*
 * Static interpretation of expressions, for arguments that must be a reference, a keyword, a list or a call and are not evaluated.
 */
import { parseExpression, parseTraversal } from "../parse/parse.ts";
import { errorAt, hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { JsonExpression, JsonNode } from "../syntax/json.ts";
import type { SourceRange } from "../syntax/position.ts";
import { rangeBetween } from "../syntax/range.ts";
import type { Traversal } from "../syntax/traversal.ts";
import { startRange } from "../syntax/start-range.ts";

/** A function call that is inspected instead of evaluated. */
export interface StaticCall {
  readonly name: string;
  readonly nameRange: SourceRange;
  readonly arguments: readonly Expression[];
  /** Range of the arguments with their parentheses. */
  readonly argumentsRange: SourceRange;
}

/** A key and a value of an object expression. */
export interface KeyValuePair {
  readonly key: Expression;
  readonly value: Expression;
}

const none: readonly Diagnostic[] = [];

function invalid(detail: string, subject: SourceRange): readonly Diagnostic[] {
  return [errorAt("Invalid expression", detail, subject)];
}

/** Returns the original of an expression that was rewritten with additional variables. */
function unscoped(expression: Expression): Exclude<Expression, { readonly kind: "scoped" }> {
  let at = expression;
  while (at.kind === "scoped") at = at.inner;
  return at;
}

/**
 * Reads an expression as a reference that starts with a variable. Any other expression is an error.
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
 * Reads an expression as a reference relative to an implied value: its first name is an attribute.
 *
 * @see hcl.RelTraversalForExpr
 */
export function relativeTraversal(expression: Expression): { readonly traversal?: Traversal; readonly diagnostics: readonly Diagnostic[] } {
  const { traversal, diagnostics } = absoluteTraversal(expression);
  const root = traversal?.[0];
  if (traversal === undefined || root?.kind !== "root") return { diagnostics };
  return { traversal: [{ kind: "attribute", name: root.name, range: root.range }, ...traversal.slice(1)], diagnostics };
}

/** Reads an expression as a single word; undefined for any other expression. @see hcl.ExprAsKeyword */
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

/** Reads an expression as a list of expressions. @see hcl.ExprList */
export function expressionList(given: Expression): { readonly list?: readonly Expression[]; readonly diagnostics: readonly Diagnostic[] } {
  const expression = unscoped(given);
  if (expression.kind === "tuple") return { list: expression.elements, diagnostics: none };
  if (expression.kind === "json" && expression.node.kind === "jsonArray") {
    return { list: expression.node.elements.map(jsonExpression), diagnostics: none };
  }
  return { diagnostics: invalid("A static list expression is required.", startRange(given)) };
}

/** Reads an expression as an object of expressions. @see hcl.ExprMap */
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

/** Reads an expression as a function call; in JSON, a string that contains a call in the native syntax. @see hcl.ExprCall */
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
