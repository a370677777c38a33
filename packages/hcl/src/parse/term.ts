// SPDX-License-Identifier: Apache-2.0
import { Kind } from "../scan/token-kind.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import { falseValue, nullValue, placeholder, trueValue } from "../syntax/literal-values.ts";
import { parseFunctionCall } from "./call.ts";
import { parseObject, parseTuple } from "./collection.ts";
import { parseNumber } from "./number.ts";
import type { Parser } from "./parser.ts";
import { parseTemplateTerm } from "./template.ts";

/** Parses a term: a literal, a name, a call, a template, or an expression in brackets. */
export function parseTerm(parser: Parser): NativeExpression {
  switch (parser.peekKind()) {
    case Kind.OParen:
      return parseParentheses(parser);
    case Kind.NumberLit: {
      const token = parser.read();
      return { kind: "literal", value: parseNumber(parser, token), range: parser.range(token) };
    }
    case Kind.Ident:
      return parseName(parser);
    case Kind.OQuote:
    case Kind.OHeredoc:
      return parseTemplateTerm(parser);
    case Kind.OBrack:
      return parseTuple(parser);
    case Kind.OBrace:
      return parseObject(parser);
    default:
      return reportMissing(parser);
  }
}

function parseParentheses(parser: Parser): NativeExpression {
  const open = parser.read();
  parser.pushNewlines(false);
  const mark = parser.mark;
  const inner = parser.expression();
  if (parser.mark > mark) {
    parser.skipPast(Kind.CParen);
    parser.popNewlines();
    return inner;
  }
  const close = parser.peek();
  if (parser.kind(close) !== Kind.CParen) {
    parser.error(
      "Unbalanced parentheses",
      "Expected a closing parenthesis to terminate the expression.",
      parser.range(close),
      parser.tokens.between(open, close),
    );
    parser.recovering = true;
  }
  parser.read();
  parser.popNewlines();
  return { kind: "parentheses", inner, range: parser.tokens.between(open, close) };
}

function parseName(parser: Parser): NativeExpression {
  const token = parser.read();
  const next = parser.peekKind();
  if (next === Kind.OParen || next === Kind.DoubleColon) return parseFunctionCall(parser, token);
  const name = parser.tokens.name(token);
  const range = parser.range(token);
  switch (name) {
    case "true":
      return { kind: "literal", value: trueValue, range };
    case "false":
      return { kind: "literal", value: falseValue, range };
    case "null":
      return { kind: "literal", value: nullValue, range };
    default:
      return { kind: "scopeTraversal", traversal: [{ kind: "root", name, range }], range };
  }
}

function reportMissing(parser: Parser): NativeExpression {
  const token = parser.peek();
  const range = parser.range(token);
  if (!parser.recovering) {
    if (parser.kind(token) === Kind.Eof) {
      parser.error("Missing expression", "Expected the start of an expression, but found the end of the file.", range);
    } else {
      parser.error("Invalid expression", "Expected the start of an expression, but found an invalid expression token.", range);
    }
  }
  parser.recovering = true;
  return { kind: "literal", value: placeholder, range };
}
