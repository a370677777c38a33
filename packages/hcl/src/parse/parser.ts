// SPDX-License-Identifier: Apache-2.0
import type { Tokens } from "../scan/tokens.ts";
import { Kind, oppositeBracket, type TokenKind } from "../scan/token-kind.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { Brackets } from "./brackets.ts";

/**
 * How parsing goes on after an error. `every-item` starts afresh with each attribute and block, so that no error hides
 * another; `first-error` is the Go library's way, which reports little after the first one.
 */
export type Recovery = "every-item" | "first-error";

/** Expressions, blocks and template directives may be nested this deep. */
export const deepest = 500;

/** What the parts of the grammar call each other through, because they are mutually recursive. */
export interface Grammar {
  readonly expression: (parser: Parser) => NativeExpression;
}

/** A place in the tokens, and what has been found wrong so far. Tokens are spoken of by their index. */
export class Parser {
  readonly tokens: Tokens;
  readonly diagnostics: Diagnostic[] = [];
  readonly recovery: Recovery;
  readonly #grammar: Grammar;
  /**
   * Has something been skipped to find a place to go on? Errors that may only follow from that are then not told.
   */
  recovering = false;
  #next = 0;
  /** The index of what has been read last; -1 at first. */
  #previous = -1;
  #depth = 0;
  /** The first token of the attribute or block that is being read. */
  #item = 0;
  #brackets: Brackets | undefined;

  readonly #newlines: boolean[] = [];
  #withNewlines = true;

  /** Where a stretch of comments and newlines was once skipped, so that it need not be again. */
  #skippedFrom = -1;
  #skippedTo = -1;

  constructor(tokens: Tokens, grammar: Grammar, recovery: Recovery) {
    this.tokens = tokens;
    this.#grammar = grammar;
    this.recovery = recovery;
  }

  /** The token that is read next. At the end it is `Eof`, again and again. */
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

  /** The kind of the next token; a comment that ends its line is a newline, where those matter. */
  peekKind(): TokenKind {
    const kind = this.tokens.kind(this.peek());
    return kind === Kind.LineComment ? Kind.Newline : kind;
  }

  read(): number {
    const index = this.peek();
    this.#previous = index;
    this.#next = index + 1;
    return index;
  }

  kind(index: number): TokenKind {
    const kind = this.tokens.kind(index);
    return kind === Kind.LineComment ? Kind.Newline : kind;
  }

  /** Is the next token this word? */
  peekWord(word: string): boolean {
    const index = this.peek();
    return this.tokens.kind(index) === Kind.Ident && this.tokens.text(index) === word;
  }

  /** What has been read last; what comes next, if nothing has. */
  previous(): number {
    return this.#previous < 0 ? this.peek() : this.#previous;
  }

  range(index: number): SourceRange {
    return this.tokens.range(index);
  }

  /** From now on, until {@link popNewlines}, newlines matter, or do not. */
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

  /** How many errors there are so far, to be handed to {@link failedSince}. */
  get mark(): number {
    return this.diagnostics.length;
  }

  /** Has there been an error since then, and has the parser lost its way? */
  failedSince(mark: number): boolean {
    return this.recovering && this.diagnostics.length > mark;
  }

  /** One level deeper; false, and an error, where that is too deep. Each true answer must be followed by {@link leave}. */
  enter(): boolean {
    if (this.#depth < deepest) {
      this.#depth += 1;
      return true;
    }
    this.reportDepth(this.peek());
    return false;
  }

  /** There are more levels than anybody writes. */
  reportDepth(token: number): void {
    const detail = `Blocks, expressions and templates can be nested at most ${deepest} levels deep.`;
    if (!this.recovering) this.error("Nesting too deep", detail, this.range(token));
    this.recovering = true;
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Skips to behind the bracket of this kind that closes the current level, or to the end; answers where it stands. */
  skipBehind(end: TokenKind): number {
    const start = oppositeBracket(end);
    this.recovering = true;
    let nested = 0;
    for (;;) {
      if (this.#leavesItem(this.peek())) return this.previous();
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

  /** Skips over the next pair of brackets of the given kind and what is in it, or to the end. */
  skipOver(start: TokenKind): void {
    for (;;) {
      const kind = this.kind(this.read());
      if (kind === start || kind === Kind.Eof) break;
    }
    this.skipBehind(oppositeBracket(start));
  }

  /** Skips from a token that has been read to the end of its line, as {@link skipItem} does; or to before the brace that closes the block. */
  skipFrom(token: number, inBlock: boolean): void {
    this.#next = token;
    this.#item = token;
    this.skipItem(inBlock);
  }

  /** Skips to behind the first newline that is in no brackets of what is skipped; or to before a brace that closes what is around. */
  skipItem(beforeBrace = false): void {
    this.recovering = true;
    const open: TokenKind[] = [];
    for (;;) {
      if (beforeBrace && open.length === 0 && this.peekKind() === Kind.CBrace) return;
      if (this.#leavesItem(this.peek())) return;
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

  /** An attribute or block begins with this token. */
  beginItem(token: number): void {
    this.#item = token;
  }

  /** Goes back to where the broken item that starts with this token must have ended, if more than that has been read. */
  resume(item: number): void {
    if (!this.recovering || this.recovery === "first-error") return;
    for (let index = item + 1; index <= this.#previous; index++) {
      if (!this.#leavesItem(index, item)) continue;
      this.#next = index;
      this.#previous = index - 1;
      return;
    }
  }

  /**
   * Does this token belong to what follows a broken item, though a bracket of the item was never closed? That is so where a line
   * begins that is not indented further and looks like an item, or that is indented less and begins with a brace.
   */
  #leavesItem(index: number, item = this.#item): boolean {
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

/** What can follow the name that an attribute or block begins with. */
const afterName: ReadonlySet<TokenKind> = new Set<TokenKind>([Kind.Equal, Kind.OBrace, Kind.OQuote, Kind.Ident]);
