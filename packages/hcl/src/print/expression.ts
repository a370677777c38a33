// SPDX-License-Identifier: Apache-2.0
import type { ForExpression, FunctionCallExpression, ObjectItem } from "../syntax/expression.ts";
import { precedence } from "../syntax/precedence.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";
import { accessPieces, scopeTraversalText } from "./access.ts";
import { items, sequence } from "./brackets.ts";
import {
  binding,
  loopNames,
  name,
  oneLine,
  unprintable,
  type Layout,
  type Nested,
  type Pieces,
  type Printed,
  type Printer,
} from "./printer.ts";
import { heredoc, quotedTemplate } from "./template.ts";
import { isNegative, printValue } from "./value.ts";

/** Prints expressions by their kinds. */
export const printer: Printer = {
  expression: (node, layout, needed = binding.any) => {
    const text: string[] = [];
    const left: (string | Nested)[] = [{ node, layout, needed }];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (typeof next === "string") text.push(next);
      else left.push(...expandPart(next).toReversed());
    }
    return text.join("");
  },
};

function expandPart({ node, layout, needed }: Nested): Pieces {
  return bindingOf(node) < needed
    ? ["(", { node, layout: { ...layout, endsLine: false }, needed: binding.any }, ")"]
    : piecesOf(node, layout);
}

function bindingOf(node: Printed): number {
  switch (node.kind) {
    case "conditional":
      return binding.any;
    case "binary":
      return precedence[node.operator];
    case "unary":
      return binding.unary;
    case "literal":
      return isNegative(node.value) ? binding.unary : binding.term;
    default:
      return binding.term;
  }
}

function piecesOf(node: Printed, layout: Layout): Pieces {
  /** Layout of subexpressions, which never end the line. */
  const inner: Layout = { indent: layout.indent, endsLine: false };
  const part = (one: Printed, needed: number = binding.any): Nested => ({ node: one, layout: inner, needed });
  switch (node.kind) {
    case "parentheses":
      return ["(", part(node.inner), ")"];
    case "conditional":
      return [part(node.condition, precedence["||"]), " ? ", part(node.trueResult), " : ", part(node.falseResult)];
    case "binary": {
      const strength = precedence[node.operator];
      return [part(node.left, strength), ` ${node.operator} `, part(node.right, strength + 1)];
    }
    case "unary":
      return [node.operator, part(node.operand, binding.unary)];
    case "objectKey":
      return [part(node.wrapped)];
    case "relativeTraversal":
    case "index":
    case "splat":
      return accessPieces(node);
    default:
      return [textOf(node, inner, layout.endsLine)];
  }
}

/** Text of an expression without parentheses. @param inner Layout of its subexpressions. */
function textOf(node: Printed, inner: Layout, endsLine: boolean): string {
  switch (node.kind) {
    case "literal":
      return printValue(node.value, inner);
    case "scopeTraversal":
      return scopeTraversalText(node.traversal);
    case "functionCall":
      return callText(node, inner);
    case "tuple":
      return sequence("[", "]", inner, (within) => withoutLeadingFor(node.elements.map((element) => printer.expression(element, within))));
    case "object":
      return items(inner, (within) => node.items.map((item, index) => itemText(item, index, within)));
    case "for":
      return loopText(node, inner);
    case "template":
      return (endsLine ? heredoc(printer, node.parts) : undefined) ?? `"${quotedTemplate(printer, node.parts)}"`;
    case "templateJoin":
      return `"${quotedTemplate(printer, [node])}"`;
    case "templateWrap":
      return `"\${${printer.expression(node.wrapped, oneLine)}}"`;
    case "anonymousSymbol":
      throw unprintable("the element symbol of a splat outside of that splat");
    default:
      throw unprintable("the placeholder of a syntax error");
  }
}

function callText({ name: called, arguments: given, expandFinal }: WithoutRanges<FunctionCallExpression>, inner: Layout): string {
  const names = called.split("::").map((one) => name(one, "a function"));
  if (expandFinal && given.length === 0) throw unprintable("a call that expands its last argument but has no arguments");
  const written = given.map((argument) => printer.expression(argument, inner));
  return `${names.join("::")}(${written.join(", ")}${expandFinal ? "..." : ""})`;
}

const startsWithFor = /^for(?![\p{ID_Continue}-])/u;

/** Puts a first element that starts with the word `for` in parentheses, because brackets would read it as a loop. */
function withoutLeadingFor(texts: readonly string[]): readonly string[] {
  return texts.map((text, index) => (index === 0 && startsWithFor.test(text) ? `(${text})` : text));
}

function itemText({ key: { wrapped, forceNonLiteral }, value }: WithoutRanges<ObjectItem>, index: number, layout: Layout): string {
  let key = keyword(wrapped) ?? printer.expression(wrapped, oneLine);
  if (forceNonLiteral && !key.startsWith("(")) key = `(${key})`;
  // A key that is a bare word has to remain one.
  else if (index === 0 && startsWithFor.test(key)) key = key === "for" ? '"for"' : `(${key})`;
  return `${key} = ${printer.expression(value, layout)}`;
}

/** The word of a key that is a bare word, keywords included. */
function keyword(wrapped: Printed): string | undefined {
  if (wrapped.kind !== "scopeTraversal" || wrapped.traversal.length !== 1) return undefined;
  const [root] = wrapped.traversal;
  return root?.kind === "root" ? name(root.name, "an attribute") : undefined;
}

function loopText(node: WithoutRanges<ForExpression>, inner: Layout): string {
  const { key, condition, group } = node;
  if (group && key === undefined) throw unprintable("a for expression that groups its results but has no key");
  const part = (one: Printed): string => printer.expression(one, inner);
  const result = key === undefined ? part(node.value) : `${part(key)} => ${part(node.value)}${group ? "..." : ""}`;
  const text = `for ${loopNames(node)} in ${part(node.collection)} : ${result}${condition === undefined ? "" : ` if ${part(condition)}`}`;
  return key === undefined ? `[${text}]` : `{ ${text} }`;
}
