// SPDX-License-Identifier: Apache-2.0
/*
 * Splits a source into tokens by the longest match. No input is rejected: characters that match no rule become an invalid token.
 * Quoted strings, heredocs and bare templates have token rules of their own; a stack holds the mode the scanner is in.
 */
import { initialPosition, type SourcePosition } from "../syntax/position.ts";
import { identifierEnd, startsIdentifier } from "./identifier.ts";
import { numberEnd } from "./number-end.ts";
import { escapedByte, SourceText } from "./source-text.ts";
import { Kind, type TokenKind } from "./token-kind.ts";
import { TokenCutter } from "./token-cutter.ts";
import type { Tokens } from "./tokens.ts";
import { newlineEnd, trimSpace } from "./white-space.ts";

/** The syntax of a source: a file or expression (`config`), or a template. */
export type ScanMode = "config" | "template";

const inMain = 0;
const inQuoted = 1;
const inText = 2;
type Language = typeof inMain | typeof inQuoted | typeof inText;

/** Text without quotes: a heredoc, or a bare template, which has no end marker. */
interface TemplateText {
  /** End marker of a heredoc; undefined for a bare template, which ends with the source. */
  readonly marker: string | undefined;
  /** Whether the scanner is at the start of a line, where the end marker may follow. */
  atLineStart: boolean;
}

/** Splits a source into tokens. @see go hclsyntax.LexConfig, LexExpression, LexTemplate */
export function scan(source: string | Uint8Array, filename: string, mode: ScanMode, start: SourcePosition = initialPosition): Tokens {
  return new Scanner(new TokenCutter(new SourceText(source), filename, start), mode).scan();
}

class Scanner {
  readonly #cutter: TokenCutter;
  readonly #text: string;
  readonly #languages: Language[] = [];
  #braces = 0;
  /** Number of open braces at the start of each open interpolation. */
  readonly #interpolations: number[] = [];
  readonly #texts: TemplateText[] = [];
  /** Offset from which on no block comment ends, kept to avoid searching again. */
  #noCommentEndFrom = Infinity;

  constructor(cutter: TokenCutter, mode: ScanMode) {
    this.#cutter = cutter;
    this.#text = cutter.text;
    if (mode === "template") this.#enterText(undefined);
    else this.#languages.push(inMain);
  }

  scan(): Tokens {
    const cutter = this.#cutter;
    const { length } = this.#text;
    while (cutter.at < length) {
      switch (this.#languages.at(-1)!) {
        case inMain:
          this.#scanMain();
          break;
        case inQuoted:
          this.#scanQuoted();
          break;
        case inText:
          this.#scanText(this.#texts.at(-1)!);
          break;
      }
    }
    cutter.cut(Kind.Eof, length);
    cutter.tokens.positions.trim();
    return cutter.tokens;
  }

  #scanMain(): void {
    const cutter = this.#cutter;
    const text = this.#text;
    const { length } = text;
    while (cutter.at < length) {
      const { at } = cutter;
      const unit = text.charCodeAt(at);
      switch (unit) {
        case 0x20:
        case 0x09:
          cutter.at += 1;
          break;
        case 0x0a:
          cutter.cutLine(Kind.Newline, at + 1);
          break;
        case 0x0d:
          if (text.charCodeAt(at + 1) === 0x0a) cutter.cutLine(Kind.Newline, at + 2);
          else cutter.cut(Kind.Invalid, at + 1);
          break;
        case 0x22: // "
          cutter.cut(Kind.OQuote, at + 1);
          this.#languages.push(inQuoted);
          return;
        case 0x23: // #
          this.#cutLineComment();
          break;
        case 0x2f: // /
          this.#cutSlash();
          break;
        case 0x7b: // {
          cutter.cut(Kind.OBrace, at + 1);
          this.#braces += 1;
          break;
        case 0x7d: // }
          if (this.#closesInterpolation()) {
            this.#endInterpolation(at + 1);
            return;
          }
          cutter.cut(Kind.CBrace, at + 1);
          this.#braces -= 1;
          break;
        case 0x7e: // ~
          if (text.charCodeAt(at + 1) !== 0x7d) cutter.cut(Kind.BitwiseNot, at + 1);
          else if (this.#closesInterpolation()) {
            this.#endInterpolation(at + 2);
            return;
          } else {
            // There is no open interpolation; the parser reports it.
            cutter.cut(Kind.TemplateSeqEnd, at + 2);
            this.#braces -= 1;
          }
          break;
        case 0x3c: // <
          if (this.#cutHeredocStart()) return;
          if (text.charCodeAt(at + 1) === 0x3d) cutter.cut(Kind.LessThanEq, at + 2);
          else cutter.cut(Kind.LessThan, at + 1);
          break;
        default:
          this.#cutOther(unit);
      }
    }
  }

  #cutOther(unit: number): void {
    const cutter = this.#cutter;
    const { at } = cutter;
    const text = this.#text;
    if (unit >= 0x30 && unit <= 0x39) return cutter.cut(Kind.NumberLit, numberEnd(text, at));
    if (unit < 0x80) {
      if (startsIdentifier(unit)) return this.#cutIdentifier();
      const next = text.charCodeAt(at + 1);
      switch (unit) {
        case 0x21: // !
          return next === 0x3d ? cutter.cut(Kind.NotEqual, at + 2) : cutter.cut(Kind.Bang, at + 1);
        case 0x25: // %
          return cutter.cut(Kind.Percent, at + 1);
        case 0x26: // &
          return next === 0x26 ? cutter.cut(Kind.And, at + 2) : cutter.cut(Kind.BitwiseAnd, at + 1);
        case 0x2e: // .
          return next === 0x2e && text.charCodeAt(at + 2) === 0x2e ? cutter.cut(Kind.Ellipsis, at + 3) : cutter.cut(Kind.Dot, at + 1);
        case 0x3a: // :
          return next === 0x3a ? cutter.cut(Kind.DoubleColon, at + 2) : cutter.cut(Kind.Colon, at + 1);
        case 0x3d: // =
          if (next === 0x3d) return cutter.cut(Kind.EqualOp, at + 2);
          return next === 0x3e ? cutter.cut(Kind.FatArrow, at + 2) : cutter.cut(Kind.Equal, at + 1);
        case 0x3e: // >
          return next === 0x3d ? cutter.cut(Kind.GreaterThanEq, at + 2) : cutter.cut(Kind.GreaterThan, at + 1);
        case 0x7c: // |
          return next === 0x7c ? cutter.cut(Kind.Or, at + 2) : cutter.cut(Kind.BitwiseOr, at + 1);
        default:
          return cutter.cut(single.get(unit) ?? Kind.Invalid, at + 1);
      }
    }
    if (startsIdentifier(text.codePointAt(at)!)) return this.#cutIdentifier();
    return cutter.cutCharacter(Kind.Invalid);
  }

  #cutIdentifier(): void {
    const cutter = this.#cutter;
    const { at } = cutter;
    const end = identifierEnd(this.#text, at + (this.#text.codePointAt(at)! > 0xffff ? 2 : 1));
    if (cutter.source.isAscii) cutter.cut(Kind.Ident, end);
    else cutter.cutText(Kind.Ident, end);
  }

  #cutLineComment(): void {
    const newline = this.#text.indexOf("\n", this.#cutter.at);
    if (newline < 0) this.#cutter.cutRest(Kind.Comment);
    else this.#cutter.cutLine(Kind.LineComment, newline + 1);
  }

  #cutSlash(): void {
    const { at } = this.#cutter;
    const next = this.#text.charCodeAt(at + 1);
    if (next === 0x2f) return this.#cutLineComment();
    if (next !== 0x2a || at + 2 >= this.#noCommentEndFrom) return this.#cutter.cut(Kind.Slash, at + 1);
    const end = this.#text.indexOf("*/", at + 2);
    if (end >= 0) return this.#cutter.cutText(Kind.Comment, end + 2);
    this.#noCommentEndFrom = at + 2;
    return this.#cutter.cut(Kind.Slash, at + 1);
  }

  #cutHeredocStart(): boolean {
    const text = this.#text;
    const { at } = this.#cutter;
    if (text.charCodeAt(at + 1) !== 0x3c) return false;
    const markerStart = text.charCodeAt(at + 2) === 0x2d ? at + 3 : at + 2;
    const first = text.codePointAt(markerStart);
    if (first === undefined || !startsIdentifier(first)) return false;
    const markerEnd = identifierEnd(text, markerStart + (first > 0xffff ? 2 : 1));
    const newline = text.charCodeAt(markerEnd) === 0x0d ? markerEnd + 1 : markerEnd;
    if (text.charCodeAt(newline) !== 0x0a) return false;
    this.#cutter.cutLine(Kind.OHeredoc, newline + 1);
    this.#enterText(text.slice(markerStart, markerEnd));
    return true;
  }

  #enterText(marker: string | undefined): void {
    this.#texts.push({ marker, atLineStart: true });
    this.#languages.push(inText);
  }

  #closesInterpolation(): boolean {
    return this.#interpolations.at(-1) === this.#braces;
  }

  #endInterpolation(end: number): void {
    this.#cutter.cut(Kind.TemplateSeqEnd, end);
    this.#braces -= 1;
    this.#interpolations.pop();
    this.#languages.pop();
  }

  /** Cuts `${`, `%{`, `${~` or `%{~`; false if none of them follows. */
  #cutInterpolation(unit: number): boolean {
    const { at } = this.#cutter;
    if (this.#text.charCodeAt(at + 1) !== 0x7b) return false;
    const end = this.#text.charCodeAt(at + 2) === 0x7e ? at + 3 : at + 2;
    this.#cutter.cut(unit === dollar ? Kind.TemplateInterp : Kind.TemplateControl, end);
    this.#braces += 1;
    this.#interpolations.push(this.#braces);
    const around = this.#texts.at(-1);
    if (around) around.atLineStart = false;
    this.#languages.push(inMain);
    return true;
  }

  /** End of `$${` or `%%{` with its tilde; -1 if none follows. */
  #escapeEnd(unit: number): number {
    const { at } = this.#cutter;
    if (this.#text.charCodeAt(at + 1) !== unit || this.#text.charCodeAt(at + 2) !== 0x7b) return -1;
    return this.#text.charCodeAt(at + 3) === 0x7e ? at + 4 : at + 3;
  }

  #scanQuoted(): void {
    const cutter = this.#cutter;
    const text = this.#text;
    const { length } = text;
    while (cutter.at < length) {
      const { at } = cutter;
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        cutter.cut(Kind.CQuote, at + 1);
        this.#languages.pop();
        return;
      }
      if (unit === dollar || unit === percent) {
        if (this.#cutInterpolation(unit)) return;
        const escape = this.#escapeEnd(unit);
        if (escape >= 0) cutter.cut(Kind.QuotedLit, escape);
        else cutter.cut(at + 1 < length ? Kind.QuotedLit : Kind.Invalid, at + 1);
      } else if (unit === 0x0a || unit === 0x0d) {
        let end = at + 1;
        while (text.charCodeAt(end) === 0x0a || text.charCodeAt(end) === 0x0d) end += 1;
        cutter.cutText(Kind.QuotedNewline, end);
      } else {
        const end = this.#quotedEnd();
        if (end === at) cutter.cutCharacter(Kind.Invalid);
        else if (cutter.source.isAscii) cutter.cut(Kind.QuotedLit, end);
        else cutter.cutText(Kind.QuotedLit, end);
      }
    }
  }

  /** End of plain text and escape sequences; the current offset if none follow. */
  #quotedEnd(): number {
    const text = this.#text;
    const { length } = text;
    let index = this.#cutter.at;
    while (index < length) {
      const unit = text.charCodeAt(index);
      if (unit === 0x22 || unit === dollar || unit === percent || unit === 0x0a || unit === 0x0d) return index;
      let character = index;
      if (unit === 0x5c) {
        character += 1;
        const escaped = text.charCodeAt(character);
        if (character >= length || escaped === 0x0a || escaped === 0x0d) return index;
      }
      if (text.charCodeAt(character) < 0xd800) index = character + 1;
      else {
        const end = this.#cutter.characterEnd(character);
        if (end < 0) return index;
        index = end;
      }
    }
    return index;
  }

  #scanText(written: TemplateText): void {
    const cutter = this.#cutter;
    const text = this.#text;
    const { length } = text;
    const { marker } = written;
    /** Kind of the rest of the source where no rule applies. */
    const stuck = marker === undefined ? Kind.StringLit : Kind.Invalid;
    while (cutter.at < length) {
      const { at } = cutter;
      const unit = text.charCodeAt(at);
      let end: number;
      if (unit === dollar || unit === percent) {
        if (this.#cutInterpolation(unit)) return;
        end = this.#sigilEnd(unit);
        if (end < 0) return cutter.cutRest(stuck);
      } else {
        end = this.#plainEnd();
      }
      const newline = newlineEnd(text, end);
      // After a sigil without a brace the newline is a separate token.
      if (newline >= 0 && !(end > at && isLoneSigil(text, at, end))) {
        if (marker !== undefined && written.atLineStart && trimSpace(text.slice(at, newline)) === marker) {
          cutter.cutText(Kind.CHeredoc, end);
          cutter.cutLine(Kind.Newline, newline);
          this.#texts.pop();
          this.#languages.pop();
          return;
        }
        written.atLineStart = true;
        cutter.cutText(Kind.StringLit, newline);
      } else if (end > at) {
        written.atLineStart = false;
        cutter.cutText(Kind.StringLit, end);
      } else if (unit === 0x0d) cutter.cutRest(stuck);
      else cutter.cutCharacter(Kind.BadUtf8);
    }
  }

  /**
   * End of text that starts with a `$` or `%` outside an interpolation; negative at the end of the source. If a newline follows
   * the next character, that character belongs to the sigil's token.
   */
  #sigilEnd(unit: number): number {
    const escape = this.#escapeEnd(unit);
    if (escape >= 0) return escape;
    const text = this.#text;
    const next = this.#cutter.at + 1;
    if (next >= text.length) return -1;
    const isByte = text.charCodeAt(next) < 0x80 || (this.#cutter.source.isBroken && escapedByte(text.charCodeAt(next)) !== undefined);
    const after = text.charCodeAt(next + 1);
    return isByte && (after === 0x0a || after === 0x0d) ? next + 1 : next;
  }

  /** End of text without sigils: the end of the line at the latest. */
  #plainEnd(): number {
    const text = this.#text;
    const { length } = text;
    let index = this.#cutter.at;
    while (index < length) {
      const unit = text.charCodeAt(index);
      if (unit === dollar || unit === percent || unit === 0x0a || unit === 0x0d) return index;
      if (unit < 0xd800) index += 1;
      else {
        const end = this.#cutter.characterEnd(index);
        if (end < 0) return index;
        index = end;
      }
    }
    return index;
  }
}

const dollar = 0x24;
const percent = 0x25;

/** Characters that are always a token by themselves. */
const single: ReadonlyMap<number, TokenKind> = new Map<number, TokenKind>([
  [0x27, Kind.Apostrophe],
  [0x28, Kind.OParen],
  [0x29, Kind.CParen],
  [0x2a, Kind.Star],
  [0x2b, Kind.Plus],
  [0x2c, Kind.Comma],
  [0x2d, Kind.Minus],
  [0x3b, Kind.Semicolon],
  [0x3f, Kind.Question],
  [0x5b, Kind.OBrack],
  [0x5d, Kind.CBrack],
  [0x5e, Kind.BitwiseXor],
  [0x60, Kind.Backtick],
]);

/** Whether the text is `$` or `%`, possibly with one more character, and no escape sequence. */
function isLoneSigil(text: string, start: number, end: number): boolean {
  const unit = text.charCodeAt(start);
  return (unit === dollar || unit === percent) && end - start <= 2;
}
