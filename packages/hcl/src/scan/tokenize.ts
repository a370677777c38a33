// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { initialPosition, type SourcePosition, type SourceRange } from "../syntax/position.ts";
import { invalidTokens } from "./invalid-tokens.ts";
import { scan } from "./scanner.ts";
import { kindNames, type KindName } from "./token-kind.ts";

/** What a token is; the names are those of the Go library's TokenType. */
export type TokenType = Exclude<KindName, "Eof" | "LineComment" | "BadUtf8"> | "EOF" | "BadUTF8";

/** A piece of a source that has a meaning of its own. */
export interface Token {
  readonly type: TokenType;
  /** As it is written; bytes that are no UTF-8 are U+FFFD. */
  readonly text: string;
  readonly range: SourceRange;
}

export interface TokenizeOptions {
  /** Is the source a text with interpolations instead of a file or an expression? Default: false. */
  readonly template?: boolean;
  /** Where the source stands in its file. Default: at its start. */
  readonly start?: SourcePosition;
}

/**
 * Cuts a source into tokens, comments and newlines among them. Between two tokens there is nothing but spaces and tabs, so that the
 * source can be put together again; the last one is `EOF` and empty. Nothing is left out because it is wrong: what no part of the
 * language has is a token, and has a diagnostic.
 *
 * @param filename only for ranges; nothing is read.
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
