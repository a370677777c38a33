// SPDX-License-Identifier: Apache-2.0
import { Kind } from "../scan/token-kind.ts";
import type { NativeExpression, ObjectItem, ObjectKeyExpression } from "../syntax/expression.ts";
import { parseForExpression } from "./for.ts";
import type { Parser } from "./parser.ts";

/** Parses `[a, b]` or `[for …]`. */
export function parseTuple(parser: Parser): NativeExpression {
  const open = parser.read();
  parser.pushNewlines(false);
  const expression = parser.peekWord("for") ? parseForExpression(parser, open) : finishTuple(parser, open);
  parser.popNewlines();
  return expression;
}

function finishTuple(parser: Parser, open: number): NativeExpression {
  const elements: NativeExpression[] = [];
  const close = parseElements(parser, open, elements);
  return { kind: "tuple", elements: elements.slice(), openRange: parser.range(open), range: parser.tokens.between(open, close) };
}

/** Returns the closing bracket, or the last skipped token if it is missing. */
function parseElements(parser: Parser, open: number, elements: NativeExpression[]): number {
  for (;;) {
    if (parser.peekKind() === Kind.CBrack) return parser.read();
    const mark = parser.mark;
    elements.push(parser.expression());
    if (parser.failedSince(mark)) return parser.skipPast(Kind.CBrack);
    const next = parser.peek();
    const kind = parser.kind(next);
    if (kind === Kind.CBrack) return parser.read();
    if (kind !== Kind.Comma) {
      if (!parser.recovering) reportTuple(parser, open, next);
      return parser.skipPast(Kind.CBrack);
    }
    parser.read();
  }
}

function reportTuple(parser: Parser, open: number, next: number): void {
  if (parser.kind(next) === Kind.Eof) {
    parser.error(
      "Unterminated tuple constructor expression",
      "There is no corresponding closing bracket before the end of the file. This may be caused by incorrect bracket nesting elsewhere in this file.",
      parser.range(open),
    );
    return;
  }
  const context = parser.tokens.between(open, next);
  parser.error("Missing item separator", "Expected a comma to mark the beginning of the next item.", parser.range(next), context);
}

/** Parses `{ key = value }` or `{for …}`. */
export function parseObject(parser: Parser): NativeExpression {
  const open = parser.read();
  // Newlines separate the items of an object, but are ignored before `for`.
  parser.pushNewlines(false);
  const isFor = parser.peekWord("for");
  const expression = isFor ? parseForExpression(parser, open) : undefined;
  parser.popNewlines();
  if (expression) return expression;

  parser.pushNewlines(true);
  const items: ObjectItem[] = [];
  const close = parseItems(parser, open, items);
  parser.popNewlines();
  return { kind: "object", items: items.slice(), openRange: parser.range(open), range: parser.tokens.between(open, close) };
}

/** Returns the closing brace, or the last skipped token if it is missing. */
function parseItems(parser: Parser, open: number, items: ObjectItem[]): number {
  for (;;) {
    const first = parser.peekKind();
    if (first === Kind.Newline) {
      parser.read();
      continue;
    }
    if (first === Kind.CBrace) return parser.read();
    const keyMark = parser.mark;
    const wrapped = parser.expression();
    if (parser.failedSince(keyMark)) return parser.skipPast(Kind.CBrace);
    const key: ObjectKeyExpression = { kind: "objectKey", wrapped, forceNonLiteral: first === Kind.OParen, range: wrapped.range };
    const separator = parser.peek();
    const kind = parser.kind(separator);
    if (kind !== Kind.Equal && kind !== Kind.Colon) {
      if (!parser.recovering) reportNoValue(parser, open, separator);
      return parser.skipPast(Kind.CBrace);
    }
    parser.read();

    const valueMark = parser.mark;
    items.push({ key, value: parser.expression() });
    if (parser.failedSince(valueMark)) return parser.skipPast(Kind.CBrace);
    const next = parser.peek();
    const nextKind = parser.kind(next);
    if (nextKind === Kind.CBrace) return parser.read();
    if (nextKind !== Kind.Comma && nextKind !== Kind.Newline) {
      if (!parser.recovering) reportNoItem(parser, open, next);
      return parser.skipPast(Kind.CBrace);
    }
    parser.read();
  }
}

function reportNoValue(parser: Parser, open: number, token: number): void {
  const subject = parser.range(token);
  const context = parser.tokens.between(open, token);
  switch (parser.kind(token)) {
    case Kind.Newline:
    case Kind.Comma:
      parser.error("Missing attribute value", 'Expected an attribute value, introduced by an equals sign ("=").', subject, context);
      break;
    case Kind.Ident:
      // Names like `foo1.2_bar` were allowed in the first version of the language.
      parser.error(
        "Missing key/value separator",
        'Expected an equals sign ("=") to mark the beginning of the attribute value. If you intended to given an attribute name containing periods or spaces, write the name in quotes to create a string literal.',
        subject,
        context,
      );
      break;
    case Kind.Eof:
      reportUnterminated(parser, open);
      break;
    default:
      parser.error(
        "Missing key/value separator",
        'Expected an equals sign ("=") to mark the beginning of the attribute value.',
        subject,
        context,
      );
  }
}

function reportNoItem(parser: Parser, open: number, token: number): void {
  if (parser.kind(token) === Kind.Eof) {
    reportUnterminated(parser, open);
    return;
  }
  parser.error(
    "Missing attribute separator",
    "Expected a newline or comma to mark the beginning of the next attribute.",
    parser.range(token),
    parser.tokens.between(open, token),
  );
}

function reportUnterminated(parser: Parser, open: number): void {
  parser.error(
    "Unterminated object constructor expression",
    "There is no corresponding closing brace before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file.",
    parser.range(open),
  );
}
