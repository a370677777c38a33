// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import { Kind } from "../scan/token-kind.ts";
import type { AttributeSyntax, BlockSyntax, BodySyntax } from "../syntax/body.ts";
import type { SourceRange } from "../syntax/position.ts";
import { endOfRange, formatRange, rangeBetween } from "../syntax/range.ts";
import type { Parser } from "./parser.ts";
import { parseQuotedString } from "./string-literal.ts";

const itemRequired = "Argument or block definition required";
const itemRequiredHere = "An argument or block definition is required here.";
const useEquals = ' To set an argument, use the equals sign "=" to introduce the argument value.';

type End = typeof Kind.Eof | typeof Kind.CBrace;

/** Parses attributes and blocks up to a closing brace or to the end of the source. */
export function parseBody(parser: Parser, end: End): BodySyntax {
  const attributes = new Map<string, AttributeSyntax>();
  const blocks: BlockSyntax[] = [];
  const startRange = parser.range(parser.previous());
  for (;;) {
    const next = parser.peek();
    const kind = parser.kind(next);
    if (kind === end) {
      parser.read();
      return finish(attributes, blocks, startRange, parser.range(next));
    }
    if (kind === Kind.Newline) {
      parser.read();
      continue;
    }
    if (parser.recovery === "every-item") parser.recovering = false;
    if (kind === Kind.Ident) {
      parseItem(parser, attributes, blocks);
      continue;
    }
    parser.read();
    if (!parser.recovering) reportBadItem(parser, next, end, startRange);
    const endRange = parser.range(next);
    if (parser.recovery === "every-item" && kind !== Kind.Eof) {
      parser.skipFrom(next, end === Kind.CBrace);
      continue;
    }
    parser.skipPast(end);
    return finish(attributes, blocks, startRange, endRange);
  }
}

function finish(
  attributes: ReadonlyMap<string, AttributeSyntax>,
  blocks: readonly BlockSyntax[],
  startRange: SourceRange,
  endRange: SourceRange,
): BodySyntax {
  return { kind: "body", attributes, blocks: blocks.slice(), range: rangeBetween(startRange, endRange), endRange: endOfRange(endRange) };
}

function reportBadItem(parser: Parser, token: number, end: End, startRange: SourceRange): void {
  switch (parser.kind(token)) {
    case Kind.OQuote:
      parser.error("Invalid argument name", "Argument names must not be quoted.", parser.range(token));
      break;
    case Kind.Eof:
      if (end === Kind.CBrace) reportUnclosed(parser, startRange);
      break;
    default:
      parser.error(itemRequired, itemRequiredHere, parser.range(token));
  }
}

function reportUnclosed(parser: Parser, subject: SourceRange, context?: SourceRange): void {
  parser.error(
    "Unclosed configuration block",
    "There is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file.",
    subject,
    context,
  );
}

/** Parses an attribute or block; its name is the next token. */
function parseItem(parser: Parser, attributes: Map<string, AttributeSyntax>, blocks: BlockSyntax[]): void {
  const name = parser.read();
  parser.beginItem(name);
  switch (parser.peekKind()) {
    case Kind.Equal: {
      const attribute = parseAttribute(parser, name, false);
      parser.resume(name);
      const existing = attributes.get(attribute.name);
      if (existing === undefined) attributes.set(attribute.name, attribute);
      else {
        parser.error(
          "Attribute redefined",
          `The argument ${goQuote(attribute.name)} was already set at ${formatRange(existing.nameRange)}. Each argument may be set only once.`,
          attribute.nameRange,
        );
      }
      break;
    }
    case Kind.OQuote:
    case Kind.OBrace:
    case Kind.Ident:
      blocks.push(parseBlock(parser, name));
      break;
    default:
      parser.skipItem();
      parser.resume(name);
      parser.error(itemRequired, itemRequiredHere + useEquals, parser.range(name));
  }
}

/** Parses an attribute whose name has been read. */
function parseAttribute(parser: Parser, name: number, isSingleLine: boolean): AttributeSyntax {
  const equals = parser.read();
  const mark = parser.mark;
  const expression = parser.expression();
  let last = parser.previous();
  if (parser.failedSince(mark)) parser.skipItem();
  else if (!isSingleLine) {
    const end = parser.peek();
    const kind = parser.kind(end);
    if (kind === Kind.Newline || kind === Kind.Eof) parser.read();
    else {
      if (!parser.recovering) reportNoNewline(parser, name, end);
      last = parser.previous();
      parser.skipItem();
    }
  }
  return {
    kind: "attribute",
    name: parser.tokens.name(name),
    expression,
    nameRange: parser.range(name),
    equalsRange: parser.range(equals),
    range: parser.tokens.between(name, last),
  };
}

function reportNoNewline(parser: Parser, name: number, end: number): void {
  const subject = parser.range(end);
  const context = parser.tokens.between(name, end);
  if (parser.kind(end) === Kind.Comma) {
    parser.error(
      "Unexpected comma after argument",
      "Argument definitions must be separated by newlines, not commas. An argument definition must end with a newline.",
      subject,
      context,
    );
    return;
  }
  parser.error("Missing newline after argument", "An argument definition must end with a newline.", subject, context);
}

/** Parses a block whose type has been read. */
function parseBlock(parser: Parser, type: number): BlockSyntax {
  const labels: string[] = [];
  const labelRanges: SourceRange[] = [];
  for (;;) {
    const token = parser.peek();
    switch (parser.kind(token)) {
      case Kind.OBrace:
        parser.read();
        return parseBlockContent(parser, type, labels, labelRanges, token);
      case Kind.OQuote: {
        const { text, range } = parseQuotedString(parser);
        labels.push(text);
        labelRanges.push(range);
        break;
      }
      case Kind.Ident:
        parser.read();
        labels.push(parser.tokens.name(token));
        labelRanges.push(parser.range(token));
        break;
      default: {
        reportBadHeader(parser, type, token);
        parser.skipItem();
        parser.resume(type);
        const typeRange = parser.range(type);
        const body: BodySyntax = { kind: "body", attributes: new Map(), blocks: [], range: typeRange, endRange: typeRange };
        // Without braces, the end of the header stands for them.
        return block(parser, type, labels, labelRanges, body, typeRange, labelRanges.at(-1) ?? typeRange);
      }
    }
  }
}

function block(
  parser: Parser,
  type: number,
  labels: readonly string[],
  labelRanges: readonly SourceRange[],
  body: BodySyntax,
  openBraceRange: SourceRange,
  closeBraceRange: SourceRange,
): BlockSyntax {
  const typeRange = parser.range(type);
  const range = rangeBetween(typeRange, closeBraceRange);
  return {
    kind: "block",
    type: parser.tokens.name(type),
    labels: labels.slice(),
    body,
    typeRange,
    labelRanges: labelRanges.slice(),
    openBraceRange,
    closeBraceRange,
    range,
  };
}

function reportBadHeader(parser: Parser, type: number, token: number): void {
  const invalid = (detail: string): void =>
    parser.error("Invalid block definition", detail, parser.range(token), parser.tokens.between(type, token));
  switch (parser.kind(token)) {
    case Kind.Equal:
      return invalid('The equals sign "=" indicates an argument definition, and must not be used when defining a block.');
    case Kind.Newline:
      return invalid('A block definition must have block content delimited by "{" and "}", starting on the same line as the block header.');
    default:
      if (!parser.recovering) invalid('Either a quoted string block label or an opening brace ("{") is expected here.');
  }
}

function parseBlockContent(
  parser: Parser,
  type: number,
  labels: readonly string[],
  labelRanges: readonly SourceRange[],
  open: number,
): BlockSyntax {
  let body: BodySyntax | undefined;
  const first = parser.peekKind();
  if (!parser.enter()) parser.skipPast(Kind.CBrace);
  else {
    if (first === Kind.Newline || first === Kind.Eof || first === Kind.CBrace) body = parseBody(parser, Kind.CBrace);
    else body = parseSingleLine(parser, type, open);
    parser.leave();
  }
  parser.beginItem(type);
  const closeRange = parser.range(parser.previous());

  const end = parser.peek();
  const endKind = parser.kind(end);
  if (endKind === Kind.Newline || endKind === Kind.Eof) parser.read();
  else {
    if (!parser.recovering) {
      parser.error(
        "Missing newline after block definition",
        "A block definition must end with a newline.",
        parser.range(end),
        parser.tokens.between(type, end),
      );
    }
    parser.skipItem();
  }

  const openRange = parser.range(open);
  body ??= { kind: "body", attributes: new Map(), blocks: [], range: rangeBetween(openRange, closeRange), endRange: closeRange };
  return block(parser, type, labels, labelRanges, body, openRange, closeRange);
}

const singleLineInvalid = "Invalid single-argument block definition";

/** Parses `name = value }`: the content of a block in a single line. */
function parseSingleLine(parser: Parser, type: number, open: number): BodySyntax | undefined {
  const mark = parser.mark;
  const body = parseSingleAttribute(parser);
  const inner = parser.diagnostics.splice(mark);

  const token = parser.peek();
  const invalid = (detail: string): void => parser.error(singleLineInvalid, detail, parser.range(token));
  switch (parser.kind(token)) {
    case Kind.CBrace:
      parser.read();
      break;
    case Kind.Comma:
      invalid(
        "Single-line block syntax can include only one argument definition. To define multiple arguments, use the multi-line block syntax with one argument definition per line.",
      );
      parser.skipPast(Kind.CBrace);
      break;
    case Kind.Newline:
      invalid(
        "An argument definition on the same line as its containing block creates a single-line block definition, which must also be closed on the same line. Place the block's closing brace immediately after the argument definition.",
      );
      parser.skipPast(Kind.CBrace);
      break;
    default:
      if (!parser.recovering) {
        if (parser.kind(token) === Kind.Eof) reportUnclosed(parser, parser.range(open), parser.tokens.between(type, open));
        else invalid("A single-line block definition must end with a closing brace immediately after its single argument definition.");
      }
      parser.skipPast(Kind.CBrace);
  }
  parser.diagnostics.push(...inner);
  parser.resume(type);
  return body;
}

function parseSingleAttribute(parser: Parser): BodySyntax | undefined {
  const name = parser.read();
  const nameRange = parser.range(name);
  if (parser.kind(name) !== Kind.Ident) {
    parser.skipItem();
    parser.error(itemRequired, itemRequiredHere, nameRange);
    return undefined;
  }
  const next = parser.peek();
  switch (parser.kind(next)) {
    case Kind.Equal: {
      const attribute = parseAttribute(parser, name, true);
      const { range } = attribute;
      return { kind: "body", attributes: new Map([[attribute.name, attribute]]), blocks: [], range, endRange: endOfRange(range) };
    }
    case Kind.OQuote:
    case Kind.OBrace:
    case Kind.Ident:
      parser.skipItem();
      parser.error(
        "Argument definition required",
        `A single-line block definition can contain only a single argument. If you meant to define argument ${goQuote(parser.tokens.text(name))}, use an equals sign to assign it a value. To define a nested block, place it on a line of its own within its parent block.`,
        parser.tokens.between(name, next),
      );
      return undefined;
    default:
      parser.skipItem();
      parser.error(itemRequired, itemRequiredHere + useEquals, nameRange);
      return undefined;
  }
}
