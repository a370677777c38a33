// SPDX-License-Identifier: Apache-2.0
import type { Tokens } from "../scan/tokens.ts";
import { Kind, oppositeBracket, type TokenKind } from "../scan/token-kind.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { Brackets } from "./brackets.ts";

/**
 * How parsing continues after an error. `every-item` recovers at each attribute and block, so that no error hides another;
 * `first-error` behaves like the Go library, which suppresses many errors after the first.
 */
export type Recovery = "every-item" | "first-error";

/** Maximum nesting depth of expressions, blocks and template directives. */
export const maxNestingDepth = 500;

/** Entry points of the grammar for its parts, which are mutually recursive. */
export interface Grammar {
  readonly expression: (parser: Parser) => NativeExpression;
}

/** A position in the tokens, and the diagnostics so far. Tokens are identified by their index. */
export class Parser {
  readonly tokens: Tokens;
  readonly diagnostics: Diagnostic[] = [];
  readonly recovery: Recovery;
  readonly #grammar: Grammar;
  /**
   * Whether tokens were skipped after an error. Errors that may only follow from that are not reported.
   */
  recovering = false;
  #next = 0;
  /** Index of the last token that was read; -1 before the first. */
  #previous = -1;
  #depth = 0;
  /** First token of the current attribute or block. */
  #item = 0;
  #brackets: Brackets | undefined;

  readonly #newlines: boolean[] = [];
  #withNewlines = true;

  /** The last run of comments and newlines that was skipped, kept to avoid skipping it again. */
  #skippedFrom = -1;
  #skippedTo = -1;

  constructor(tokens: Tokens, grammar: Grammar, recovery: Recovery) {
    this.tokens = tokens;
    this.#grammar = grammar;
    this.recovery = recovery;
  }

  /** Returns the next token without reading it; `Eof` at the end. */
  peek(): number {
    const { tokens } = this;
    const start = this.#next;
    let index = start;
    if (index >= tokens.count) return tokens.count - 1;
    if (this.#withNewlines) {
      while (tokens.kind(index) === Kind.Comment) index += 1;
      return index;
    }
    if (index === this.#skippedFrom) return this.#skippedTo;
    let kind = tokens.kind(index);
    if (kind > Kind.Comment || kind === Kind.Eof) return index;
    while (kind === Kind.Comment || kind === Kind.LineComment || kind === Kind.Newline) kind = tokens.kind(++index);
    this.#skippedFrom = start;
    this.#skippedTo = index;
    return index;
  }

  /** Kind of the next token. A comment that ends its line counts as a newline. */
  peekKind(): TokenKind {
    const kind = this.tokens.kind(this.peek());
    return kind === Kind.LineComment ? Kind.Newline : kind;
  }

  /** Reads the next token. */
  read(): number {
    const index = this.peek();
    this.#previous = index;
    this.#next = index + 1;
    return index;
  }

  /** Kind of a token. A comment that ends its line counts as a newline. */
  kind(index: number): TokenKind {
    const kind = this.tokens.kind(index);
    return kind === Kind.LineComment ? Kind.Newline : kind;
  }

  /** Whether the next token is this word. */
  peekWord(word: string): boolean {
    const index = this.peek();
    return this.tokens.kind(index) === Kind.Ident && this.tokens.text(index) === word;
  }

  /** The last token that was read; the next one if there is none. */
  previous(): number {
    return this.#previous < 0 ? this.peek() : this.#previous;
  }

  range(index: number): SourceRange {
    return this.tokens.range(index);
  }

  /** Sets whether newlines are tokens or ignored, until {@link popNewlines}. */
  pushNewlines(matter: boolean): void {
    this.#newlines.push(this.#withNewlines);
    this.#withNewlines = matter;
  }

  popNewlines(): void {
    this.#withNewlines = this.#newlines.pop() ?? true;
  }

  expression(): NativeExpression {
    return this.#grammar.expression(this);
  }

  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }

  error(summary: string, detail: string, subject: SourceRange, context?: SourceRange): void {
    this.diagnostics.push(errorAt(summary, detail, subject, context));
  }

  /** Number of diagnostics so far, to pass to {@link failedSince}. */
  get mark(): number {
    return this.diagnostics.length;
  }

  /** Whether the parser reported an error after the given number of diagnostics and has not recovered from it. */
  failedSince(mark: number): boolean {
    return this.recovering && this.diagnostics.length > mark;
  }

  /** Enters a nesting level. Returns false, with an error, beyond {@link maxNestingDepth}; otherwise {@link leave} must follow. */
  enter(): boolean {
    if (this.#depth < maxNestingDepth) {
      this.#depth += 1;
      return true;
    }
    this.reportDepth(this.peek());
    return false;
  }

  /** Reports that the maximum nesting depth is exceeded. */
  reportDepth(token: number): void {
    const detail = `Blocks, expressions and templates can be nested at most ${maxNestingDepth} levels deep.`;
    if (!this.recovering) this.error("Nesting too deep", detail, this.range(token));
    this.recovering = true;
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Skips past the bracket of this kind that closes the current level, or to the end; returns the bracket. */
  skipPast(end: TokenKind): number {
    const start = oppositeBracket(end);
    this.recovering = true;
    let nested = 0;
    for (;;) {
      if (this.#isBeyondItem(this.peek())) return this.previous();
      const index = this.read();
      let kind = this.kind(index);
      if (end === Kind.TemplateSeqEnd && kind === Kind.TemplateControl) kind = Kind.TemplateInterp;
      if (kind === end) {
        if (nested === 0) return index;
        nested -= 1;
      } else if (kind === Kind.Eof) return index;
      else if (kind === start) nested += 1;
    }
  }

  /** Skips past the next pair of brackets of the given kind, or to the end. */
  skipPastPair(start: TokenKind): void {
    for (;;) {
      const kind = this.kind(this.read());
      if (kind === start || kind === Kind.Eof) break;
    }
    this.skipPast(oppositeBracket(start));
  }

  /** Skips from a token to the end of its line, as {@link skipItem} does; in a block, at most to its closing brace. */
  skipFrom(token: number, inBlock: boolean): void {
    this.#next = token;
    this.#item = token;
    this.skipItem(inBlock);
  }

  /** Skips past the first newline outside of brackets; with `beforeBrace`, at most to the closing brace of the enclosing block. */
  skipItem(beforeBrace = false): void {
    this.recovering = true;
    const open: TokenKind[] = [];
    for (;;) {
      if (beforeBrace && open.length === 0 && this.peekKind() === Kind.CBrace) return;
      if (this.#isBeyondItem(this.peek())) return;
      const kind = this.kind(this.read());
      switch (kind) {
        case Kind.Newline:
          if (open.length === 0) return;
          break;
        case Kind.Eof:
          return;
        case Kind.OBrace:
        case Kind.OBrack:
        case Kind.OParen:
        case Kind.OQuote:
        case Kind.OHeredoc:
        case Kind.TemplateInterp:
          open.push(kind);
          break;
        case Kind.TemplateControl:
          open.push(Kind.TemplateInterp);
          break;
        case Kind.CBrace:
        case Kind.CBrack:
        case Kind.CParen:
        case Kind.CQuote:
        case Kind.CHeredoc:
        case Kind.TemplateSeqEnd: {
          const opener = oppositeBracket(kind);
          while (open.length > 0 && open.at(-1) !== opener) open.pop();
          open.pop();
          break;
        }
      }
    }
  }

  /** Marks the first token of an attribute or block. */
  beginItem(token: number): void {
    this.#item = token;
  }

  /** Moves back to the likely end of a malformed item, if more tokens were read. */
  resume(item: number): void {
    if (!this.recovering || this.recovery === "first-error") return;
    for (let index = item + 1; index <= this.#previous; index++) {
      if (!this.#isBeyondItem(index, item)) continue;
      this.#next = index;
      this.#previous = index - 1;
      return;
    }
  }

  /**
   * Whether a token no longer belongs to a malformed item with an unclosed bracket: it starts a line that looks like an item and is
   * not indented further, or a line with a closing brace that is indented less.
   */
  #isBeyondItem(index: number, item = this.#item): boolean {
    if (this.recovery === "first-error" || index <= item) return false;
    const { tokens } = this;
    const kind = tokens.kind(index);
    if (kind !== Kind.Ident && kind !== Kind.CBrace) return false;
    const before = tokens.kind(index - 1);
    if (before !== Kind.Newline && before !== Kind.LineComment) return false;
    const indentation = tokens.startColumn(index) - tokens.startColumn(item);
    if (kind === Kind.CBrace ? indentation >= 0 : indentation > 0 || !afterName.has(tokens.kind(index + 1))) return false;
    this.#brackets ??= new Brackets(tokens);
    return this.#brackets.isInOpen(index);
  }
}

/** Tokens that can follow the first name of an attribute or block. */
const afterName: ReadonlySet<TokenKind> = new Set<TokenKind>([Kind.Equal, Kind.OBrace, Kind.OQuote, Kind.Ident]);
