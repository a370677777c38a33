// SPDX-License-Identifier: Apache-2.0
import { Kind } from "../scan/token-kind.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import { placeholder } from "../syntax/literal-values.ts";
import { rangeBetween } from "../syntax/range.ts";
import type { Parser } from "./parser.ts";

const summary = "Invalid 'for' expression";

/** Parses a `for` expression whose opening bracket has been read. */
export function parseForExpression(parser: Parser, open: number): NativeExpression {
  const makesObject = parser.kind(open) === Kind.OBrace;
  const closeKind = makesObject ? Kind.CBrace : Kind.CBrack;
  parser.read();

  /** Reports an invalid `for` expression and skips the rest of it. */
  const skipInvalidFor = (detail?: string): NativeExpression => {
    const token = parser.peek();
    if (detail !== undefined && !parser.recovering) parser.error(summary, detail, parser.range(token), parser.tokens.between(open, token));
    const close = parser.skipPast(closeKind);
    return { kind: "literal", value: placeholder, range: parser.tokens.between(open, close) };
  };

  if (parser.peekKind() !== Kind.Ident) return skipInvalidFor("For expression requires variable name after 'for'.");
  let keyName: string | undefined;
  let valueName = parser.tokens.text(parser.read());
  if (parser.peekKind() === Kind.Comma) {
    keyName = valueName;
    parser.read();
    if (parser.peekKind() !== Kind.Ident) return skipInvalidFor("For expression requires value variable name after comma.");
    valueName = parser.tokens.text(parser.read());
  }
  if (!parser.peekWord("in")) return skipInvalidFor("For expression requires the 'in' keyword after its name declarations.");
  parser.read();

  const collectionMark = parser.mark;
  const collection = parser.expression();
  if (parser.failedSince(collectionMark)) return skipInvalidFor();
  if (parser.peekKind() !== Kind.Colon) return skipInvalidFor("For expression requires a colon after the collection expression.");
  parser.read();

  const resultMark = parser.mark;
  let key: NativeExpression | undefined;
  let value = parser.expression();
  if (parser.peekKind() === Kind.FatArrow) {
    parser.read();
    key = value;
    value = parser.expression();
  }
  if (parser.failedSince(resultMark)) return skipInvalidFor();

  const ellipsis = parser.peekKind() === Kind.Ellipsis ? parser.read() : undefined;
  let condition: NativeExpression | undefined;
  if (parser.peekWord("if")) {
    parser.read();
    const conditionMark = parser.mark;
    condition = parser.expression();
    if (parser.failedSince(conditionMark)) return skipInvalidFor();
  }
  const close = parseClose(parser, open, closeKind);
  const openRange = parser.range(open);
  const closeRange = parser.range(close);
  const range = rangeBetween(openRange, closeRange);

  if (!makesObject && key) parser.error(summary, "Key expression is not valid when building a tuple.", key.range, range);
  if (!makesObject && ellipsis !== undefined) {
    parser.error(summary, "Grouping ellipsis (...) cannot be used when building a tuple.", parser.range(ellipsis), range);
  }
  if (makesObject && !key) parser.error(summary, "Key expression is required when building an object.", value.range, range);

  return {
    kind: "for",
    ...(keyName === undefined ? {} : { keyName }),
    valueName,
    collection,
    ...(key === undefined ? {} : { key }),
    value,
    ...(condition === undefined ? {} : { condition }),
    group: ellipsis !== undefined,
    openRange,
    closeRange,
    range,
  };
}

function parseClose(parser: Parser, open: number, kind: typeof Kind.CBrace | typeof Kind.CBrack): number {
  const token = parser.peek();
  if (parser.kind(token) === kind) return parser.read();
  if (!parser.recovering) {
    parser.error(
      summary,
      "Extra characters after the end of the 'for' expression.",
      parser.range(token),
      parser.tokens.between(open, token),
    );
  }
  return parser.skipPast(kind);
}
