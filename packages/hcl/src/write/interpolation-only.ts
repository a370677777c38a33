// SPDX-License-Identifier: Apache-2.0
import { parseConfig } from "../parse/parse.ts";
import { Kind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";

/**
 * Unwraps `"${expression}"` as an attribute's value, which Terraform 0.12 made redundant. An expression over several lines is put in
 * parentheses unless it already has them.
 *
 * Undefined if the tokens are not a single interpolation, or if the unwrapped expression would be parsed differently: a heredoc before a comment, or a
 * comment that would end the line.
 *
 * @param first First token of the value.
 * @param end Token after the value.
 * @see go opentofu internal/command/fmt.go, formatValueExpr
 */
export function withoutInterpolation(tokens: Tokens, first: number, end: number): string | undefined {
  if (!isInterpolationOnly(tokens, first, end)) return undefined;
  let start = first + 2;
  let stop = end - 2;
  while (tokens.kind(start) === Kind.Newline) start += 1;
  while (tokens.kind(stop - 1) === Kind.Newline) stop -= 1;
  const text = tokens.source.text.slice(tokens.startIndex(start), tokens.endIndex(stop - 1));
  const has = (...kinds: readonly number[]): boolean => {
    for (let index = start; index < stop; index++) if (kinds.includes(tokens.kind(index))) return true;
    return false;
  };
  const isInBrackets = tokens.kind(start) === Kind.OParen && tokens.kind(stop - 1) === Kind.CParen;
  const expression = has(Kind.Newline) && !isInBrackets ? `(${text})` : text;
  const isOneLine = !has(Kind.Newline, Kind.LineComment, Kind.CHeredoc);
  return isOneLine || parsesBefore(tokens, end, expression) ? expression : undefined;
}

function isInterpolationOnly(tokens: Tokens, first: number, end: number): boolean {
  if (end - first < 5 || tokens.kind(first) !== Kind.OQuote || tokens.kind(first + 1) !== Kind.TemplateInterp) return false;
  if (tokens.kind(end - 2) !== Kind.TemplateSeqEnd || tokens.kind(end - 1) !== Kind.CQuote) return false;
  let quotes = 0;
  for (let index = first + 2; index < end - 2; index++) {
    const kind = tokens.kind(index);
    if (kind === Kind.OQuote) quotes += 1;
    else if (kind === Kind.CQuote) quotes -= 1;
    else if (quotes === 0 && (kind === Kind.TemplateInterp || kind === Kind.TemplateSeqEnd)) return false;
  }
  return true;
}

/** Whether an expression, followed by the rest of its line from a token on, still parses as a single expression. */
function parsesBefore(tokens: Tokens, next: number, expression: string): boolean {
  let end = next;
  while (tokens.kind(end) === Kind.Comment) end += 1;
  const isInBraces = tokens.kind(end) === Kind.CBrace;
  const rest = tokens.source.text.slice(tokens.endIndex(next - 1), tokens.endIndex(end));
  const { body, diagnostics } = parseConfig(`${isInBraces ? "b { " : ""}x = ${expression}${rest}`, "");
  return diagnostics.length === 0 && body.attributes.size + body.blocks.length === 1;
}
