// SPDX-License-Identifier: Apache-2.0
import { Kind, type TokenKind } from "../scan/token-kind.ts";
import type { BinaryOperator, NativeExpression, UnaryOperator } from "../syntax/expression.ts";
import { placeholder } from "../syntax/literal-values.ts";
import { rangeBetween } from "../syntax/range.ts";
import { precedence } from "../syntax/precedence.ts";
import type { Parser } from "./parser.ts";
import { parsePostfix } from "./postfix.ts";
import { parseTerm } from "./term.ts";

/** Parses an expression; reports an error and returns a placeholder if there is none. */
export function parseExpression(parser: Parser): NativeExpression {
  if (!parser.enter()) return placeholderAt(parser);
  const expression = parseConditional(parser);
  parser.leave();
  return expression;
}

function placeholderAt(parser: Parser): NativeExpression {
  return { kind: "literal", value: placeholder, range: parser.range(parser.peek()) };
}

/** Parses `condition ? a : b`, or an operation. The part before the colon is parsed as if in parentheses. */
function parseConditional(parser: Parser): NativeExpression {
  const start = parser.peek();
  const { mark } = parser;
  const condition = parseBinary(parser, 1);
  if (parser.peekKind() !== Kind.Question || parser.failedSince(mark)) return condition;
  parser.read();

  const trueMark = parser.mark;
  const trueResult = parser.expression();
  if (parser.failedSince(trueMark)) return condition;
  const colon = parser.peek();
  if (parser.kind(colon) !== Kind.Colon) {
    parser.error(
      "Missing false expression in conditional",
      "The conditional operator (...?...:...) requires a false expression, delimited by a colon.",
      parser.range(colon),
      parser.tokens.between(start, colon),
    );
    return condition;
  }
  parser.read();

  const falseMark = parser.mark;
  const falseResult = parser.expression();
  if (parser.failedSince(falseMark)) return condition;
  const range = rangeBetween(parser.range(start), falseResult.range);
  return { kind: "conditional", condition, trueResult, falseResult, range };
}

interface BinaryOperation {
  readonly operator: BinaryOperator;
  readonly precedence: number;
}

const operations: readonly (BinaryOperation | undefined)[] = operationsByKind([
  [Kind.Or, "||"],
  [Kind.And, "&&"],
  [Kind.EqualOp, "=="],
  [Kind.NotEqual, "!="],
  [Kind.GreaterThan, ">"],
  [Kind.GreaterThanEq, ">="],
  [Kind.LessThan, "<"],
  [Kind.LessThanEq, "<="],
  [Kind.Plus, "+"],
  [Kind.Minus, "-"],
  [Kind.Star, "*"],
  [Kind.Slash, "/"],
  [Kind.Percent, "%"],
]);

function operationsByKind(rows: readonly (readonly [TokenKind, BinaryOperator])[]): (BinaryOperation | undefined)[] {
  const table: (BinaryOperation | undefined)[] = Array.from({ length: Kind.BadUtf8 + 1 });
  for (const [kind, operator] of rows) table[kind] = { operator, precedence: precedence[operator] };
  return table;
}

/** Parses operands with operators of at least the given precedence, all left-associative. */
function parseBinary(parser: Parser, weakest: number): NativeExpression {
  const mark = parser.mark;
  let left = parseOperand(parser);
  if (parser.failedSince(mark)) return left;
  for (;;) {
    const operation = operations[parser.peekKind()];
    if (operation === undefined || operation.precedence < weakest) return left;
    parser.read();
    const rightMark = parser.mark;
    const right = parseBinary(parser, operation.precedence + 1);
    if (parser.failedSince(rightMark)) return left;
    left = { kind: "binary", operator: operation.operator, left, right, range: rangeBetween(left.range, right.range) };
  }
}

/** Parses a term with its attributes, indices and splats. */
function parseOperand(parser: Parser): NativeExpression {
  const kind = parser.peekKind();
  if (kind === Kind.Minus) return parseUnary(parser, "-");
  if (kind === Kind.Bang) return parseUnary(parser, "!");
  return parsePostfix(parser, parseTerm(parser));
}

/** Parses an operator before an operand; it binds more strongly than any binary operator. */
function parseUnary(parser: Parser, operator: UnaryOperator): NativeExpression {
  const sign = parser.read();
  if (!parser.enter()) return placeholderAt(parser);
  const operand = parseOperand(parser);
  parser.leave();
  const operatorRange = parser.range(sign);
  return { kind: "unary", operator, operand, operatorRange, range: rangeBetween(operatorRange, operand.range) };
}
