// SPDX-License-Identifier: Apache-2.0
/*
 * Cuts a source into tokens. At every place the longest token that fits is taken; nothing is ever refused, but what fits
 * nowhere becomes a token that says so. Quoted strings, heredocs and bare templates are languages of their own, entered and
 * left by brackets: a stack says which one the scanner is in.
 */
import { initialPosition, type SourcePosition } from "../syntax/position.ts";
import { advanceOver } from "./column.ts";
import { identifierEnd, startsIdentifier } from "./identifier.ts";
import { escapedByte, SourceText } from "./source-text.ts";
import { Kind, type TokenKind } from "./token-kind.ts";
import { Tokens, type TokenPlace } from "./tokens.ts";
import { trimSpace } from "./white-space.ts";

/** What a source is to be read as. */
export type ScanMode = "config" | "template";

const inMain = 0;
const inQuoted = 1;
const inHeredoc = 2;
const inTemplate = 3;
type Language = typeof inMain | typeof inQuoted | typeof inHeredoc | typeof inTemplate;

interface Heredoc {
  readonly marker: string;
  /** Could the marker follow now? */
  atLineStart: boolean;
}

/** Cuts a source into tokens, as the Go library's LexConfig, LexExpression and LexTemplate do. */
export function scan(source: string | Uint8Array, filename: string, mode: ScanMode, start: SourcePosition = initialPosition): Tokens {
  return new Scanner(new SourceText(source), filename, start).scan(mode === "template" ? inTemplate : inMain);
}

class Scanner {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #tokens: Tokens;
  /** Of the token that is pushed next; its end is where the one before it ended. */
  readonly #place: TokenPlace;
  #at: number;

  readonly #languages: Language[] = [];
  #braces = 0;
  /** How many braces were open when each interpolation began. */
  readonly #interpolations: number[] = [];
  readonly #heredocs: Heredoc[] = [];
  /** From here on there is no end of a block comment. */
  #noCommentEndFrom = Infinity;

  constructor(source: SourceText, filename: string, start: SourcePosition) {
    this.#source = source;
    this.#text = source.text;
    this.#tokens = new Tokens(source, filename);
    const hasMark = source.text.charCodeAt(0) === byteOrderMark;
    this.#at = hasMark ? 1 : 0;
    const byte = start.byte + (hasMark ? 3 : 0);
    this.#place = {
      startIndex: this.#at,
      endIndex: this.#at,
      startByte: byte,
      endByte: byte,
      startLine: start.line,
      startColumn: start.column,
      endLine: start.line,
      endColumn: start.column,
    };
  }

  scan(outermost: Language): Tokens {
    const { length } = this.#text;
    this.#languages.push(outermost);
    while (this.#at < length) {
      switch (this.#languages.at(-1)!) {
        case inMain:
          this.#scanMain();
          break;
        case inQuoted:
          this.#scanQuoted();
          break;
        case inHeredoc:
          this.#scanHeredoc();
          break;
        case inTemplate:
          this.#scanTemplate();
          break;
      }
    }
    this.#push(Kind.Eof, length);
    return this.#tokens;
  }

  /** A token of ASCII characters without a newline, from where the scanner is. */
  #push(kind: TokenKind, end: number): void {
    const place = this.#begin();
    const length = end - this.#at;
    place.endIndex = end;
    place.endByte += length;
    place.endColumn += length;
    this.#tokens.push(kind, place);
    this.#at = end;
  }

  /** A token that a newline ends, and that has no other in it. */
  #pushLine(kind: TokenKind, end: number): void {
    const place = this.#begin();
    place.endIndex = end;
    place.endByte += this.#source.isAscii ? end - this.#at : this.#source.byteLength(this.#at, end);
    place.endLine += 1;
    place.endColumn = 1;
    this.#tokens.push(kind, place);
    this.#at = end;
  }

  /** Any token, from where the scanner is. */
  #pushText(kind: TokenKind, end: number): void {
    const place = this.#begin();
    const start = this.#at;
    const { lines, column } = advanceOver(this.#text.slice(start, end), place.startColumn);
    place.endIndex = end;
    place.endByte += this.#source.isAscii ? end - start : this.#source.byteLength(start, end);
    place.endLine += lines;
    place.endColumn = column;
    this.#tokens.push(kind, place);
    this.#at = end;
  }

  /** Only ASCII spaces can lie between the token before and this one. */
  #begin(): TokenPlace {
    const place = this.#place;
    const skipped = this.#at - place.endIndex;
    place.startIndex = this.#at;
    place.startByte = place.endByte += skipped;
    place.startColumn = place.endColumn += skipped;
    place.startLine = place.endLine;
    return place;
  }

  #scanMain(): void {
    const text = this.#text;
    const { length } = text;
    while (this.#at < length) {
      const at = this.#at;
      const unit = text.charCodeAt(at);
      switch (unit) {
        case 0x20:
        case 0x09:
          this.#at += 1;
          break;
        case 0x0a:
          this.#pushLine(Kind.Newline, at + 1);
          break;
        case 0x0d:
          if (text.charCodeAt(at + 1) === 0x0a) this.#pushLine(Kind.Newline, at + 2);
          else this.#push(Kind.Invalid, at + 1);
          break;
        case 0x22: // "
          this.#push(Kind.OQuote, at + 1);
          this.#languages.push(inQuoted);
          return;
        case 0x23: // #
          this.#pushLineComment();
          break;
        case 0x2f: // /
          this.#pushSlash();
          break;
        case 0x7b: // {
          this.#push(Kind.OBrace, at + 1);
          this.#braces += 1;
          break;
        case 0x7d: // }
          if (this.#closesInterpolation()) {
            this.#endInterpolation(at + 1);
            return;
          }
          this.#push(Kind.CBrace, at + 1);
          this.#braces -= 1;
          break;
        case 0x7e: // ~
          if (text.charCodeAt(at + 1) !== 0x7d) this.#push(Kind.BitwiseNot, at + 1);
          else if (this.#closesInterpolation()) {
            this.#endInterpolation(at + 2);
            return;
          } else {
            // The author seems to be in an interpolation, but is not: for the parser to tell.
            this.#push(Kind.TemplateSeqEnd, at + 2);
            this.#braces -= 1;
          }
          break;
        case 0x3c: // <
          if (this.#pushHeredocStart()) return;
          if (text.charCodeAt(at + 1) === 0x3d) this.#push(Kind.LessThanEq, at + 2);
          else this.#push(Kind.LessThan, at + 1);
          break;
        default:
          this.#pushOther(unit);
      }
    }
  }

  #pushOther(unit: number): void {
    const at = this.#at;
    const text = this.#text;
    if (unit >= 0x30 && unit <= 0x39) return this.#push(Kind.NumberLit, numberEnd(text, at));
    if (unit < 0x80) {
      if (startsIdentifier(unit)) return this.#pushIdentifier();
      const next = text.charCodeAt(at + 1);
      switch (unit) {
        case 0x21: // !
          return next === 0x3d ? this.#push(Kind.NotEqual, at + 2) : this.#push(Kind.Bang, at + 1);
        case 0x25: // %
          return this.#push(Kind.Percent, at + 1);
        case 0x26: // &
          return next === 0x26 ? this.#push(Kind.And, at + 2) : this.#push(Kind.BitwiseAnd, at + 1);
        case 0x2e: // .
          return next === 0x2e && text.charCodeAt(at + 2) === 0x2e ? this.#push(Kind.Ellipsis, at + 3) : this.#push(Kind.Dot, at + 1);
        case 0x3a: // :
          return next === 0x3a ? this.#push(Kind.DoubleColon, at + 2) : this.#push(Kind.Colon, at + 1);
        case 0x3d: // =
          if (next === 0x3d) return this.#push(Kind.EqualOp, at + 2);
          return next === 0x3e ? this.#push(Kind.FatArrow, at + 2) : this.#push(Kind.Equal, at + 1);
        case 0x3e: // >
          return next === 0x3d ? this.#push(Kind.GreaterThanEq, at + 2) : this.#push(Kind.GreaterThan, at + 1);
        case 0x7c: // |
          return next === 0x7c ? this.#push(Kind.Or, at + 2) : this.#push(Kind.BitwiseOr, at + 1);
        default:
          return this.#push(single.get(unit) ?? Kind.Invalid, at + 1);
      }
    }
    if (startsIdentifier(text.codePointAt(at)!)) return this.#pushIdentifier();
    return this.#pushCharacter(Kind.Invalid);
  }

  #pushIdentifier(): void {
    const end = identifierEnd(this.#text, this.#at + (this.#text.codePointAt(this.#at)! > 0xffff ? 2 : 1));
    if (this.#source.isAscii) this.#push(Kind.Ident, end);
    else this.#pushText(Kind.Ident, end);
  }

  /** One character, or one byte that is none. */
  #pushCharacter(kind: TokenKind): void {
    const end = this.#characterEnd(this.#at);
    if (end < 0) this.#pushText(Kind.BadUtf8, -end);
    else this.#pushText(kind, end);
  }

  /** Where the character ends that starts here; negative for a byte that is no character, not even by the loosest rules. */
  #characterEnd(at: number): number {
    const unit = this.#text.charCodeAt(at);
    const byte = this.#source.isBroken ? escapedByte(unit) : undefined;
    if (byte === undefined) return unit >= 0xd800 && unit <= 0xdbff ? at + 2 : at + 1;
    const length = byte >= 0xf8 || byte < 0xc0 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    for (let offset = 1; offset < length; offset++) {
      const next = escapedByte(this.#text.charCodeAt(at + offset)) ?? 0;
      if ((next & 0xc0) !== 0x80) return -(at + 1);
    }
    return length === 0 ? -(at + 1) : at + length;
  }

  #pushLineComment(): void {
    const newline = this.#text.indexOf("\n", this.#at);
    if (newline < 0) this.#pushText(Kind.Comment, this.#text.length);
    else this.#pushLine(Kind.LineComment, newline + 1);
  }

  #pushSlash(): void {
    const at = this.#at;
    const next = this.#text.charCodeAt(at + 1);
    if (next === 0x2f) return this.#pushLineComment();
    if (next !== 0x2a || at + 2 >= this.#noCommentEndFrom) return this.#push(Kind.Slash, at + 1);
    const end = this.#text.indexOf("*/", at + 2);
    if (end >= 0) return this.#pushText(Kind.Comment, end + 2);
    this.#noCommentEndFrom = at + 2;
    return this.#push(Kind.Slash, at + 1);
  }

  #pushHeredocStart(): boolean {
    const text = this.#text;
    const at = this.#at;
    if (text.charCodeAt(at + 1) !== 0x3c) return false;
    const markerStart = text.charCodeAt(at + 2) === 0x2d ? at + 3 : at + 2;
    const first = text.codePointAt(markerStart);
    if (first === undefined || !startsIdentifier(first)) return false;
    const markerEnd = identifierEnd(text, markerStart + (first > 0xffff ? 2 : 1));
    const newline = text.charCodeAt(markerEnd) === 0x0d ? markerEnd + 1 : markerEnd;
    if (text.charCodeAt(newline) !== 0x0a) return false;
    this.#pushLine(Kind.OHeredoc, newline + 1);
    this.#heredocs.push({ marker: text.slice(markerStart, markerEnd), atLineStart: true });
    this.#languages.push(inHeredoc);
    return true;
  }

  #closesInterpolation(): boolean {
    return this.#interpolations.at(-1) === this.#braces;
  }

  #endInterpolation(end: number): void {
    this.#push(Kind.TemplateSeqEnd, end);
    this.#braces -= 1;
    this.#interpolations.pop();
    this.#languages.pop();
  }

  /** `${`, `%{`, `${~` or `%{~`; false if there is none. */
  #pushInterpolation(unit: number): boolean {
    const at = this.#at;
    if (this.#text.charCodeAt(at + 1) !== 0x7b) return false;
    const end = this.#text.charCodeAt(at + 2) === 0x7e ? at + 3 : at + 2;
    this.#push(unit === dollar ? Kind.TemplateInterp : Kind.TemplateControl, end);
    this.#braces += 1;
    this.#interpolations.push(this.#braces);
    const heredoc = this.#heredocs.at(-1);
    if (heredoc) heredoc.atLineStart = false;
    this.#languages.push(inMain);
    return true;
  }

  /** Where `$${` or `%%{` ends, with its tilde; -1 if there is none. */
  #escapeEnd(unit: number): number {
    const at = this.#at;
    if (this.#text.charCodeAt(at + 1) !== unit || this.#text.charCodeAt(at + 2) !== 0x7b) return -1;
    return this.#text.charCodeAt(at + 3) === 0x7e ? at + 4 : at + 3;
  }

  #scanQuoted(): void {
    const text = this.#text;
    const { length } = text;
    while (this.#at < length) {
      const at = this.#at;
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        this.#push(Kind.CQuote, at + 1);
        this.#languages.pop();
        return;
      }
      if (unit === dollar || unit === percent) {
        if (this.#pushInterpolation(unit)) return;
        const escape = this.#escapeEnd(unit);
        if (escape >= 0) this.#push(Kind.QuotedLit, escape);
        else this.#push(at + 1 < length ? Kind.QuotedLit : Kind.Invalid, at + 1);
      } else if (unit === 0x0a || unit === 0x0d) {
        let end = at + 1;
        while (text.charCodeAt(end) === 0x0a || text.charCodeAt(end) === 0x0d) end += 1;
        this.#pushText(Kind.QuotedNewline, end);
      } else {
        const end = this.#quotedEnd();
        if (end === at) this.#pushCharacter(Kind.Invalid);
        else if (this.#source.isAscii) this.#push(Kind.QuotedLit, end);
        else this.#pushText(Kind.QuotedLit, end);
      }
    }
  }

  /** Where plain text and escape sequences end; where the scanner is, if there are none. */
  #quotedEnd(): number {
    const text = this.#text;
    const { length } = text;
    let index = this.#at;
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
        const end = this.#characterEnd(character);
        if (end < 0) return index;
        index = end;
      }
    }
    return index;
  }

  #scanHeredoc(): void {
    const text = this.#text;
    const { length } = text;
    const heredoc = this.#heredocs.at(-1)!;
    while (this.#at < length) {
      const at = this.#at;
      const unit = text.charCodeAt(at);
      let end: number;
      if (unit === dollar || unit === percent) {
        if (this.#pushInterpolation(unit)) return;
        end = this.#sigilEnd(unit);
        if (end < 0) return this.#giveUp(Kind.Invalid);
      } else {
        end = this.#plainEnd();
      }
      const newline = newlineEnd(text, end);
      // After a sigil that stands for itself the newline is a token of its own.
      if (newline < 0 || (end > at && isLoneSigil(text, at, end))) {
        if (end === at) {
          if (text.charCodeAt(at) === 0x0d) return this.#giveUp(Kind.Invalid);
          this.#pushCharacter(Kind.BadUtf8);
          continue;
        }
        heredoc.atLineStart = false;
        this.#pushText(Kind.StringLit, end);
        continue;
      }
      if (heredoc.atLineStart && trimSpace(text.slice(at, newline)) === heredoc.marker) {
        this.#pushText(Kind.CHeredoc, end);
        this.#pushLine(Kind.Newline, newline);
        this.#heredocs.pop();
        this.#languages.pop();
        return;
      }
      heredoc.atLineStart = true;
      this.#pushText(Kind.StringLit, newline);
    }
  }

  #scanTemplate(): void {
    const text = this.#text;
    const { length } = text;
    while (this.#at < length) {
      const at = this.#at;
      const unit = text.charCodeAt(at);
      let end: number;
      if (unit === dollar || unit === percent) {
        if (this.#pushInterpolation(unit)) return;
        end = this.#sigilEnd(unit);
        if (end < 0) return this.#giveUp(Kind.StringLit);
      } else {
        end = this.#plainEnd();
      }
      const newline = newlineEnd(text, end);
      if (newline >= 0 && !(end > at && isLoneSigil(text, at, end))) this.#pushText(Kind.StringLit, newline);
      else if (end > at) this.#pushText(Kind.StringLit, end);
      else if (text.charCodeAt(at) === 0x0d) this.#giveUp(Kind.StringLit);
      else this.#pushCharacter(Kind.BadUtf8);
    }
  }

  /** Everything that is left is one token: no rule says how to go on. */
  #giveUp(kind: TokenKind): void {
    this.#pushText(kind, this.#text.length);
  }

  /**
   * Where text ends that starts with a `$` or `%` that begins no interpolation; negative at the very end of the source. A
   * character before a newline goes with the sigil; otherwise it stands alone.
   */
  #sigilEnd(unit: number): number {
    const escape = this.#escapeEnd(unit);
    if (escape >= 0) return escape;
    const text = this.#text;
    const next = this.#at + 1;
    if (next >= text.length) return -1;
    const isByte = text.charCodeAt(next) < 0x80 || (this.#source.isBroken && escapedByte(text.charCodeAt(next)) !== undefined);
    const after = text.charCodeAt(next + 1);
    return isByte && (after === 0x0a || after === 0x0d) ? next + 1 : next;
  }

  /** Where text without sigils ends: at the end of its line at the latest. */
  #plainEnd(): number {
    const text = this.#text;
    const { length } = text;
    let index = this.#at;
    while (index < length) {
      const unit = text.charCodeAt(index);
      if (unit === dollar || unit === percent || unit === 0x0a || unit === 0x0d) return index;
      if (unit < 0xd800) index += 1;
      else {
        const end = this.#characterEnd(index);
        if (end < 0) return index;
        index = end;
      }
    }
    return index;
  }
}

const byteOrderMark = 0xfeff;
const dollar = 0x24;
const percent = 0x25;

/** Characters that are a token each, whatever follows. */
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

/** Digits, points and exponents in any order, but no point at the end: what is no number after all, the parser tells. */
function numberEnd(text: string, start: number): number {
  let end = start + 1;
  let index = end;
  for (;;) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x30 && unit <= 0x39) end = index += 1;
    else if (unit === 0x2e) index += 1;
    else if (unit === 0x65 || unit === 0x45) {
      const next = text.charCodeAt(index + 1);
      const digit = next === 0x2b || next === 0x2d ? index + 2 : index + 1;
      const unit = text.charCodeAt(digit);
      if (!(unit >= 0x30 && unit <= 0x39)) return end;
      end = index = digit + 1;
    } else return end;
  }
}

/** Where the newline ends that starts here; -1 if there is none. */
function newlineEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === 0x0a) return at + 1;
  return unit === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : -1;
}

/** Is this `$` or `%`, perhaps with the one character after it, and not an escape sequence? */
function isLoneSigil(text: string, start: number, end: number): boolean {
  const unit = text.charCodeAt(start);
  return (unit === dollar || unit === percent) && end - start <= 2;
}
