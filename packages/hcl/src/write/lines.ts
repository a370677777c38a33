// SPDX-License-Identifier: Apache-2.0
import { Kind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";
import { bracketChange } from "./spacing.ts";

/**
 * A line as the formatter takes it: tokens up to a newline that is one itself or ends a comment. Newlines within heredocs and
 * block comments end none. Numbers are those of tokens; each part ends where the next begins.
 */
export interface Line {
  readonly start: number;
  /** Where the `=` of an attribute stands whose value does not go on in the next line; `comment` if there is none. */
  readonly assign: number;
  /** Where the comment stands that ends the line, after something else; `end` if there is none. */
  readonly comment: number;
  readonly end: number;
}

export const hasAssign = ({ assign, comment }: Line): boolean => assign < comment;
export const hasComment = ({ comment, end }: Line): boolean => comment < end;

/** All tokens but the last, the end of the source, in lines. The last line may have none. */
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
  // At the end of a source a comment may lack its newline.
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

/** How many more brackets a line opens than it closes. Before the `=`, what a heredoc has in it does not count. */
export function openedBy(tokens: Tokens, { start, assign, comment }: Line): number {
  let net = netBrackets(tokens, assign, comment);
  for (let index = start; index < assign && tokens.kind(index) !== Kind.OHeredoc; index++) net += bracketChange(tokens.kind(index));
  return net;
}
