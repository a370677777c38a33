// SPDX-License-Identifier: Apache-2.0
/*
 * The first of two steps from tokens to a template: a flat sequence of texts, interpolations and directives. White space is
 * removed next to `~`.
 */
import { goQuote } from "@tenon/cty/unstable/payload";
import { isSpace } from "../scan/white-space.ts";
import { Kind, type TokenKind } from "../scan/token-kind.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { endOfRange, rangeBetween } from "../syntax/range.ts";
import { didYouMean, similarName } from "../syntax/suggestion.ts";
import type { Parser } from "./parser.ts";
import { literalText } from "./string-literal.ts";

/** A part of a template before nesting. */
export type TemplatePart = TextPart | InterpolationPart | IfPart | ForPart | EndPart;

/** Literal text. */
export interface TextPart {
  readonly kind: "text";
  text: string;
  range: SourceRange;
}

/** `${expression}` */
export interface InterpolationPart {
  readonly kind: "interpolation";
  readonly expression: NativeExpression;
}

/** `%{ if condition }` */
export interface IfPart {
  readonly kind: "if";
  readonly condition: NativeExpression;
  readonly range: SourceRange;
}

/** `%{ for key, value in collection }` */
export interface ForPart {
  readonly kind: "for";
  readonly keyName?: string;
  readonly valueName: string;
  readonly collection: NativeExpression;
  readonly range: SourceRange;
}

/** A directive that ends a branch or a loop. */
export interface EndPart {
  readonly kind: "else" | "endif" | "endfor";
  readonly range: SourceRange;
}

/** The parts of a template, with its ranges. */
export interface TemplateParts {
  readonly parts: TemplatePart[];
  /** Range of the end marker, or of the last skipped token if it is missing. */
  readonly endRange: SourceRange;
  /** Range from the first part to the end marker. */
  readonly range: SourceRange;
}

/** Parses everything up to and including an end marker of the given kind. */
export function parseTemplateParts(parser: Parser, end: TokenKind): TemplateParts {
  const parts: TemplatePart[] = [];
  const first = parser.peek();
  /** Whether the strip marker of the sequence before (`~}`) removes the white space that follows. */
  let trims = false;
  /** Whether the previous token was text. */
  let afterText = false;
  let last: number;
  for (;;) {
    const token = parser.read();
    const kind = parser.kind(token);
    const trimsText = trims;
    trims = false;
    const textBefore = afterText ? parts.at(-1) : undefined;
    afterText = false;
    if (kind === end) {
      last = token;
      break;
    }
    if (kind === Kind.StringLit || kind === Kind.QuotedLit) {
      const text = literalText(parser, token);
      parts.push({ kind: "text", text: trimsText ? trimStart(text) : text, range: parser.range(token) });
      afterText = true;
    } else if (kind === Kind.TemplateInterp) {
      trimBefore(parser, token, textBefore);
      parser.pushNewlines(false);
      trims = parseInterpolation(parser, first, end, parts);
      parser.popNewlines();
    } else if (kind === Kind.TemplateControl) {
      trimBefore(parser, token, textBefore);
      parser.pushNewlines(false);
      trims = parseDirective(parser, token, first, parts);
      parser.popNewlines();
    } else {
      if (!parser.recovering) {
        parser.error(
          "Unterminated template string",
          "No closing marker was found for the string.",
          parser.range(token),
          parser.tokens.between(first, token),
        );
      }
      last = parser.skipPast(end);
      break;
    }
  }
  if (parts.length === 0) parts.push({ kind: "text", text: "", range: endOfRange(parser.range(first)) });
  return { parts, endRange: parser.range(last), range: parser.tokens.between(first, last) };
}

/** Removes white space from the end of the text before a sequence that starts with `${~` or `%{~`. */
function trimBefore(parser: Parser, token: number, before: TemplatePart | undefined): void {
  if (before?.kind === "text" && parser.tokens.text(token).endsWith("~")) before.text = trimEnd(before.text);
}

function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start += 1;
  return text.slice(start);
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Parses an interpolation after `${`; returns whether it ends with `~}`. */
function parseInterpolation(parser: Parser, first: number, end: TokenKind, parts: TemplatePart[]): boolean {
  const expression = parser.expression();
  parts.push({ kind: "interpolation", expression });
  const close = parser.peek();
  if (parser.kind(close) === Kind.TemplateSeqEnd) return readClose(parser);
  if (!parser.recovering) reportUnclosed(parser, first, close, end);
  parser.skipPast(Kind.TemplateSeqEnd);
  return false;
}

function readClose(parser: Parser): boolean {
  return parser.tokens.text(parser.read()).startsWith("~");
}

function reportUnclosed(parser: Parser, first: number, close: number, end: TokenKind): void {
  const kind = parser.kind(close);
  const unclosed = (where: string): void =>
    parser.error(
      "Unclosed template interpolation sequence",
      `There is no closing brace for this interpolation sequence before the end of the ${where}. This might be caused by incorrect nesting inside the given expression.`,
      parser.range(first),
    );
  const extra = (detail: string): void =>
    parser.error("Extra characters after interpolation expression", detail, parser.range(close), parser.tokens.between(first, close));
  if (kind === Kind.Eof) unclosed("file");
  else if (kind === Kind.Colon) {
    extra(
      'Template interpolation doesn\'t expect a colon at this location. Did you intend this to be a literal sequence to be processed as part of another language? If so, you can escape it by starting with "$${" instead of just "${".',
    );
  } else if ((kind === Kind.CQuote || kind === Kind.OQuote) && end === Kind.CQuote) unclosed("quoted template");
  else {
    extra(
      'Expected a closing brace to end the interpolation expression, but found extra characters.\n\nThis can happen when you include interpolation syntax for another language, such as shell scripting, but forget to escape the interpolation start token. If this is an embedded sequence for another language, escape it by starting with "$${" instead of just "${".',
    );
  }
}

const keywords: readonly string[] = ["if", "for", "else", "endif", "endfor"];

/** Parses a directive after `%{`; returns whether it ends with `~}`. */
function parseDirective(parser: Parser, open: number, first: number, parts: TemplatePart[]): boolean {
  const keyword = parser.peek();
  const invalid = (summary: string, detail: string, subject: number, context?: SourceRange): false => {
    if (!parser.recovering) parser.error(summary, detail, parser.range(subject), context);
    parser.skipPast(Kind.TemplateSeqEnd);
    return false;
  };
  const opening = parser.tokens.between(open, keyword);
  if (parser.kind(keyword) !== Kind.Ident) {
    const detail = 'A template directive keyword ("if", "for", etc) is expected at the beginning of a %{ sequence.';
    return invalid("Invalid template directive", detail, keyword, opening);
  }
  parser.read();
  const word = parser.tokens.text(keyword);
  switch (word) {
    case "if": {
      const condition = parser.expression();
      parts.push({ kind: "if", condition, range: parser.tokens.between(open, parser.peek()) });
      break;
    }
    case "for": {
      const problem = parseForDirective(parser, open, parts);
      if (problem !== undefined) return invalid("Invalid 'for' directive", problem, parser.peek());
      break;
    }
    case "else":
    case "endif":
    case "endfor":
      parts.push({ kind: word, range: parser.tokens.between(open, parser.peek()) });
      break;
    default: {
      const detail = `${goQuote(word)} is not a valid template control keyword.${didYouMean(similarName(word, keywords))}`;
      return invalid("Invalid template control keyword", detail, keyword, opening);
    }
  }
  const close = parser.peek();
  if (parser.kind(close) === Kind.TemplateSeqEnd) return readClose(parser);
  return invalid(
    `Extra characters in ${word} marker`,
    "Expected a closing brace to end the sequence, but found extra characters.",
    close,
    parser.tokens.between(first, close),
  );
}

/** Parses the rest of a `for` directive; returns the error at the next token, if any. */
function parseForDirective(parser: Parser, open: number, parts: TemplatePart[]): string | undefined {
  if (parser.peekKind() !== Kind.Ident) return "For directive requires variable name after 'for'.";
  let keyName: string | undefined;
  let valueName = parser.tokens.text(parser.read());
  if (parser.peekKind() === Kind.Comma) {
    keyName = valueName;
    parser.read();
    if (parser.peekKind() !== Kind.Ident) return "For directive requires value variable name after comma.";
    valueName = parser.tokens.text(parser.read());
  }
  if (!parser.peekWord("in")) return "For directive requires 'in' keyword after names.";
  parser.read();
  const collection = parser.expression();
  const range = parser.tokens.between(open, parser.peek());
  parts.push({ kind: "for", ...(keyName === undefined ? {} : { keyName }), valueName, collection, range });
  return undefined;
}

/** Joins successive texts. */
export function joinTexts(parts: readonly TemplatePart[]): TemplatePart[] {
  const joined: TemplatePart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.kind === "text" && before?.kind === "text") {
      before.text += part.text;
      before.range = rangeBetween(before.range, part.range);
    } else joined.push(part);
  }
  return joined;
}
