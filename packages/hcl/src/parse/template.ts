// SPDX-License-Identifier: Apache-2.0
import { Kind, oppositeBracket, type TokenKind } from "../scan/token-kind.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import type { Parser } from "./parser.ts";
import { removeIndentation } from "./template-indentation.ts";
import { joinTexts, parseTemplateParts } from "./template-parts.ts";
import { arrangeParts } from "./template-tree.ts";

/** Parses a quoted string or a heredoc. */
export function parseTemplateTerm(parser: Parser): NativeExpression {
  const open = parser.read();
  const isFlush = parser.kind(open) === Kind.OHeredoc && parser.tokens.text(open).startsWith("<<-");
  const content = parseContent(parser, oppositeBracket(parser.kind(open)), isFlush);
  return template(content, parser.tokens.between(open, parser.previous()));
}

/** Parses a template that is the whole source. */
export function parseBareTemplate(parser: Parser): NativeExpression {
  const content = parseContent(parser, Kind.Eof, false);
  return template(content, content.range);
}

interface Content {
  readonly expressions: readonly NativeExpression[];
  /** The expression of a template that is a single interpolation. */
  readonly only?: NativeExpression;
  readonly range: SourceRange;
}

function template({ expressions, only }: Content, range: SourceRange): NativeExpression {
  return only ? { kind: "templateWrap", wrapped: only, range } : { kind: "template", parts: expressions, range };
}

function parseContent(parser: Parser, end: TokenKind, isFlush: boolean): Content {
  const { parts, endRange, range } = parseTemplateParts(parser, end);
  if (isFlush) removeIndentation(parts);
  const joined = joinTexts(parts);
  const expressions = arrangeParts(parser, joined, endRange);
  const [first] = joined;
  return { expressions, range, ...(joined.length === 1 && first?.kind === "interpolation" ? { only: first.expression } : {}) };
}
