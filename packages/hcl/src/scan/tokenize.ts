// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { initialPosition, type SourcePosition, type SourceRange } from "../syntax/position.ts";
import { invalidTokens } from "./invalid-tokens.ts";
import { scan } from "./scanner.ts";
import { kindNames, type KindName } from "./token-kind.ts";

/** Kind of a token, named as in the Go library's TokenType. */
export type TokenType = Exclude<KindName, "Eof" | "LineComment" | "BadUtf8"> | "EOF" | "BadUTF8";

/** A lexical token. */
export interface Token {
  readonly type: TokenType;
  /** Source text of the token, with invalid UTF-8 bytes as U+FFFD. */
  readonly text: string;
  readonly range: SourceRange;
}

/** Options of {@link tokenize}. */
export interface TokenizeOptions {
  /** Whether the source is a template instead of a file or an expression. Default: false. */
  readonly template?: boolean;
  /** Position of the source in its file. Default: the start of the file. */
  readonly start?: SourcePosition;
}

/**
 * Splits a source into tokens, comments and newlines included. Only spaces and tabs lie between two tokens, so that the source can
 * be restored from them; the last token is an empty `EOF`. Text that is not part of the language is a token as well, with a diagnostic.
 *
 * @param filename File name for ranges; no file is read.
 * @see go hclsyntax.LexConfig, LexExpression, LexTemplate
 *
 * @example
 * tokenize("a = b # c", "").tokens.map(({ type, text }) => `${type} ${text}`)
 * // => ["Ident a", "Equal =", "Ident b", "Comment # c", "EOF "]
 */
export function tokenize(
  source: string | Uint8Array,
  filename: string,
  { template = false, start = initialPosition }: TokenizeOptions = {},
): { readonly tokens: readonly Token[]; readonly diagnostics: readonly Diagnostic[] } {
  const scanned = scan(source, filename, template ? "template" : "config", start);
  const tokens = Array.from({ length: scanned.count }, (_, index): Token => {
    return { type: typeOf(kindNames[scanned.kind(index)]!), text: scanned.text(index), range: scanned.range(index) };
  });
  return { tokens, diagnostics: invalidTokens(scanned) };
}

function typeOf(kind: KindName): TokenType {
  switch (kind) {
    case "Eof":
      return "EOF";
    case "BadUtf8":
      return "BadUTF8";
    case "LineComment":
      return "Comment";
    default:
      return kind;
  }
}
