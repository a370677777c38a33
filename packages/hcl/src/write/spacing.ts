// SPDX-License-Identifier: Apache-2.0
import { Kind, type TokenKind } from "../scan/token-kind.ts";

/** 1 for a token that opens a bracket, -1 for one that closes one. */
export function bracketChange(kind: TokenKind): -1 | 0 | 1 {
  switch (kind) {
    case Kind.OBrace:
    case Kind.OBrack:
    case Kind.OParen:
    case Kind.TemplateControl:
    case Kind.TemplateInterp:
      return 1;
    case Kind.CBrace:
    case Kind.CBrack:
    case Kind.CParen:
    case Kind.TemplateSeqEnd:
      return -1;
    default:
      return 0;
  }
}

/**
 * Whether a space separates two tokens of a line. The first rule that applies decides, in the order of the Go library.
 *
 * @param before Token before `subject` in the same part of the line; undefined if there is none.
 * @param isIn Whether `subject` is the word `in`.
 * @see go hclwrite format.go, spaceAfterToken
 */
export function spaceBetween(subject: TokenKind, next: TokenKind, before: TokenKind | undefined, isIn: boolean): boolean {
  if (next === Kind.Newline) return false;
  if (subject === Kind.Ident && (next === Kind.OParen || next === Kind.DoubleColon)) return false;
  if (subject === Kind.DoubleColon && next === Kind.Ident) return false;
  if (subject === Kind.Dot || next === Kind.Dot || next === Kind.Comma || next === Kind.Ellipsis) return false;
  if (subject === Kind.Comma) return true;
  if (isTemplateText(subject) || subject === Kind.OQuote || subject === Kind.OHeredoc) return false;
  if (isTemplateText(next) || next === Kind.CQuote || next === Kind.CHeredoc) return false;
  // After the `in` of a `for` expression, a bracket starts a tuple; after any other name, an index.
  if (isIn && before === Kind.Ident) return true;
  if (next === Kind.OBrack && (subject === Kind.Ident || subject === Kind.NumberLit || bracketChange(subject) < 0)) return false;
  if (subject === Kind.Bang) return false;
  if (subject === Kind.Minus) return !isBeforeOperand(before);
  if (subject === Kind.OBrace || next === Kind.CBrace) return subject !== Kind.OBrace || next !== Kind.CBrace;
  if ((subject === Kind.TemplateInterp || subject === Kind.TemplateControl) && next === Kind.OBrace) return true;
  if (subject === Kind.CBrace && next === Kind.TemplateSeqEnd) return true;
  if (subject === Kind.TemplateSeqEnd && (next === Kind.TemplateInterp || next === Kind.TemplateControl)) return false;
  return bracketChange(subject) <= 0 && bracketChange(next) >= 0;
}

function isTemplateText(kind: TokenKind): boolean {
  return kind === Kind.QuotedLit || kind === Kind.StringLit;
}

/** Whether a minus after this token is a sign. */
function isBeforeOperand(kind: TokenKind | undefined): boolean {
  switch (kind) {
    case undefined:
    case Kind.OParen:
    case Kind.OBrace:
    case Kind.OBrack:
    case Kind.Equal:
    case Kind.Colon:
    case Kind.Comma:
    case Kind.Question:
    case Kind.Plus:
    case Kind.Star:
    case Kind.Slash:
    case Kind.Percent:
    case Kind.Minus:
    case Kind.EqualOp:
    case Kind.NotEqual:
    case Kind.GreaterThan:
    case Kind.GreaterThanEq:
    case Kind.LessThan:
    case Kind.LessThanEq:
    case Kind.And:
    case Kind.Or:
    case Kind.Bang:
      return true;
    default:
      return false;
  }
}
