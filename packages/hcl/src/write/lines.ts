// SPDX-License-Identifier: Apache-2.0
import { Kind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";
import { bracketChange } from "./spacing.ts";

/**
 * A line for the formatter: tokens up to a newline token or a line comment. Newlines in heredocs and block comments do not end a line. The
 * numbers are token indices; each part ends where the next begins.
 */
export interface Line {
  readonly start: number;
  /** The `=` of an attribute whose value ends on this line; `comment` if there is none. */
  readonly assign: number;
  /** The comment at the end of the line, after other tokens; `end` if there is none. */
  readonly comment: number;
  readonly end: number;
}

/** Whether a line has an `=` to align. */
export const hasAssign = ({ assign, comment }: Line): boolean => assign < comment;
/** Whether a line has a comment to align. */
export const hasComment = ({ comment, end }: Line): boolean => comment < end;

/** Splits all tokens except `Eof` into lines. The last line may be empty. */
export function linesOf(tokens: Tokens): readonly Line[] {
  const lines: Line[] = [];
  const last = tokens.count - 1;
  let start = 0;
  for (let index = 0; index < last; index++) {
    if (!endsLine(tokens, index)) continue;
    lines.push(lineOf(tokens, start, index + 1));
    start = index + 1;
  }
  lines.push(lineOf(tokens, start, last));
  return lines;
}

function endsLine(tokens: Tokens, index: number): boolean {
  const kind = tokens.kind(index);
  // A comment at the end of the source can lack its newline.
  return kind === Kind.Newline || (kind === Kind.LineComment && tokens.width(index) === undefined);
}

function lineOf(tokens: Tokens, start: number, end: number): Line {
  const comment = end - start > 1 && tokens.isComment(end - 1) ? end - 1 : end;
  for (let index = start + 1; index < comment; index++)
    if (tokens.kind(index) === Kind.Equal)
      return { start, assign: netBrackets(tokens, index, comment) === 0 ? index : comment, comment, end };
  return { start, assign: comment, comment, end };
}

function netBrackets(tokens: Tokens, start: number, end: number): number {
  let net = 0;
  for (let index = start; index < end; index++) net += bracketChange(tokens.kind(index));
  return net;
}

/** Number of brackets a line opens, less those it closes. Brackets in a heredoc before the `=` do not count. */
export function openedBy(tokens: Tokens, { start, assign, comment }: Line): number {
  let net = netBrackets(tokens, assign, comment);
  for (let index = start; index < assign && tokens.kind(index) !== Kind.OHeredoc; index++) net += bracketChange(tokens.kind(index));
  return net;
}
