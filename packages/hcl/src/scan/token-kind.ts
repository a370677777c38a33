// SPDX-License-Identifier: Apache-2.0

/** Token kinds, named as in the Go library's TokenType. */
export const Kind = {
  Eof: 0,
  Newline: 1,
  /** A `#` or `//` comment together with the newline that ends it. */
  LineComment: 2,
  /** Any other comment. */
  Comment: 3,
  Ident: 4,
  NumberLit: 5,
  /** Text of a quoted template, escapes unresolved. */
  QuotedLit: 6,
  /** Text of a heredoc or bare template. */
  StringLit: 7,
  OQuote: 8,
  CQuote: 9,
  /** `<<MARKER` or `<<-MARKER` with its newline. */
  OHeredoc: 10,
  /** The line with the marker that ends a heredoc, without its newline. */
  CHeredoc: 11,
  TemplateInterp: 12,
  TemplateControl: 13,
  TemplateSeqEnd: 14,
  OBrace: 15,
  CBrace: 16,
  OBrack: 17,
  CBrack: 18,
  OParen: 19,
  CParen: 20,
  Dot: 21,
  Comma: 22,
  Colon: 23,
  DoubleColon: 24,
  Ellipsis: 25,
  FatArrow: 26,
  Question: 27,
  Equal: 28,
  EqualOp: 29,
  NotEqual: 30,
  LessThan: 31,
  LessThanEq: 32,
  GreaterThan: 33,
  GreaterThanEq: 34,
  And: 35,
  Or: 36,
  Bang: 37,
  Plus: 38,
  Minus: 39,
  Star: 40,
  Slash: 41,
  Percent: 42,
  // Operators of other languages, recognised for better error messages.
  BitwiseAnd: 43,
  BitwiseOr: 44,
  BitwiseNot: 45,
  BitwiseXor: 46,
  Apostrophe: 47,
  Backtick: 48,
  Semicolon: 49,
  /** Newlines within a quoted template. */
  QuotedNewline: 50,
  Invalid: 51,
  /** A byte that is not part of a valid UTF-8 sequence. */
  BadUtf8: 52,
} as const;

/** Number of a token kind, a value of {@link Kind}. */
export type TokenKind = (typeof Kind)[keyof typeof Kind];

/** Name of a token kind, a key of {@link Kind}. */
export type KindName = keyof typeof Kind;

/** Names of the kinds, by number. */
export const kindNames: readonly KindName[] = Object.keys(Kind) as KindName[];

/** The matching bracket of a bracket; `Eof` for other tokens. */
export function oppositeBracket(kind: TokenKind): TokenKind {
  switch (kind) {
    case Kind.OBrace:
      return Kind.CBrace;
    case Kind.CBrace:
      return Kind.OBrace;
    case Kind.OBrack:
      return Kind.CBrack;
    case Kind.CBrack:
      return Kind.OBrack;
    case Kind.OParen:
      return Kind.CParen;
    case Kind.CParen:
      return Kind.OParen;
    case Kind.OQuote:
      return Kind.CQuote;
    case Kind.CQuote:
      return Kind.OQuote;
    case Kind.OHeredoc:
      return Kind.CHeredoc;
    case Kind.CHeredoc:
      return Kind.OHeredoc;
    case Kind.TemplateInterp:
    case Kind.TemplateControl:
      return Kind.TemplateSeqEnd;
    case Kind.TemplateSeqEnd:
      return Kind.TemplateInterp;
    default:
      return Kind.Eof;
  }
}
