// SPDX-License-Identifier: Apache-2.0
import { Kind } from "../scan/token-kind.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import { endOfRange, rangeBetween } from "../syntax/range.ts";
import type { Parser } from "./parser.ts";

/** Parses a function call whose first name has been read: `name(…)`, `namespace::name(…)`. */
export function parseFunctionCall(parser: Parser, first: number): NativeExpression {
  let name = parser.tokens.name(first);
  let last = first;
  let open = parser.read();
  while (parser.kind(open) === Kind.DoubleColon) {
    const next = parser.read();
    if (parser.kind(next) !== Kind.Ident) {
      const detail = "Function scope resolution symbol :: must be followed by a function name in this scope.";
      return skipInvalidCall(parser, "Missing function name", detail, first, next);
    }
    name += `::${parser.tokens.text(next)}`;
    last = next;
    open = parser.read();
  }
  if (parser.kind(open) !== Kind.OParen) {
    const detail = "Function selector must be followed by an open parenthesis to begin the function call.";
    return skipInvalidCall(parser, "Missing open parenthesis", detail, first, open);
  }

  parser.pushNewlines(false);
  const { list, expandFinal, close } = parseArguments(parser, first, open);
  parser.popNewlines();

  const closeRange = close === undefined ? endOfRange(parser.range(parser.previous())) : parser.range(close);
  const nameRange = parser.tokens.between(first, last);
  const range = rangeBetween(nameRange, closeRange);
  return { kind: "functionCall", name, arguments: list.slice(), expandFinal, nameRange, openRange: parser.range(open), closeRange, range };
}

function skipInvalidCall(parser: Parser, summary: string, detail: string, first: number, token: number): NativeExpression {
  const range = parser.tokens.between(first, token);
  parser.error(summary, detail, parser.range(token), range);
  const diagnostics = parser.diagnostics.slice(-1);
  parser.skipPastPair(Kind.OParen);
  return { kind: "syntaxError", diagnostics, range };
}

interface Arguments {
  readonly list: readonly NativeExpression[];
  readonly expandFinal: boolean;
  /** The closing parenthesis; undefined if it is missing. */
  readonly close: number | undefined;
}

function parseArguments(parser: Parser, name: number, open: number): Arguments {
  const list: NativeExpression[] = [];
  const ending = (close: number | undefined, expandFinal = false): Arguments => ({ list, expandFinal, close });
  for (;;) {
    if (parser.peekKind() === Kind.CParen) return ending(parser.read());
    const mark = parser.mark;
    list.push(parser.expression());
    if (parser.failedSince(mark)) {
      const close = parser.skipPast(Kind.CParen);
      return ending(parser.kind(close) === Kind.CParen ? close : undefined);
    }

    const separator = parser.read();
    const range = parser.range(separator);
    switch (parser.kind(separator)) {
      case Kind.Comma:
        break;
      case Kind.CParen:
        return ending(separator);
      case Kind.Ellipsis:
        if (parser.peekKind() === Kind.CParen) return ending(parser.read(), true);
        if (!parser.recovering) {
          parser.error(
            "Missing closing parenthesis",
            "An expanded function argument (with ...) must be immediately followed by closing parentheses.",
            range,
            parser.tokens.between(name, separator),
          );
        }
        return ending(parser.skipPast(Kind.CParen), true);
      case Kind.Eof:
        parser.error(
          "Unterminated function call",
          "There is no closing parenthesis for this function call before the end of the file. This may be caused by incorrect parenthesis nesting elsewhere in this file.",
          parser.tokens.between(name, open),
        );
        return ending(parser.skipPast(Kind.CParen));
      default:
        parser.error(
          "Missing argument separator",
          "A comma is required to separate each function argument from the next.",
          range,
          parser.tokens.between(name, separator),
        );
        return ending(parser.skipPast(Kind.CParen));
    }
  }
}
