// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import { advanceOver } from "../scan/column.ts";
import { escapedByte } from "../scan/source-text.ts";
import { Kind } from "../scan/token-kind.ts";
import type { SourcePosition, SourceRange } from "../syntax/position.ts";
import type { Parser } from "./parser.ts";

/** Characters of the escape sequences other than Unicode escapes. */
const simpleEscapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

const hasEscape = /\\|\$\$\{|%%\{/;
/** Includes malformed UTF-8 sequences after a backslash. */
const quotedEscape =
  /\\(?:u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|[\udcc0-\udcdf][\udc80-\udcbf]|[\udce0-\udcef][\udc80-\udcbf]{2}|[\udcf0-\udcf7][\udc80-\udcbf]{3}|[^uU])|\$\$\{|%%\{/gsu;
const templateEscape = /\$\$\{|%%\{/g;

/** Text of a template token with its escape sequences resolved; invalid sequences are reported and kept. */
export function literalText(parser: Parser, token: number): string {
  const { source } = parser.tokens;
  const quoted = parser.kind(token) === Kind.QuotedLit;
  const raw = source.text.slice(parser.tokens.startIndex(token), parser.tokens.endIndex(token));
  if (!hasEscape.test(raw)) return wellFormed(raw, source.isBroken);
  const places = new EscapePlaces(parser, token, raw);
  const text = raw.replace(quoted ? quotedEscape : templateEscape, (escape, offset: number) => {
    places.add(offset, escape.length);
    if (!escape.startsWith("\\")) return escape.slice(1);
    const letter = escape.slice(1);
    if (letter.startsWith("u") || letter.startsWith("U")) return unicodeEscape(escape, (detail) => places.report(detail));
    const simple = simpleEscapes[letter];
    if (simple !== undefined) return simple;
    places.report(`The symbol ${quoteCharacter(letter)} is not a valid escape sequence selector.`);
    return letter;
  });
  return wellFormed(text, source.isBroken);
}

/** Quotes a character in Go's notation; invalid bytes are quoted one by one. */
function quoteCharacter(letter: string): string {
  const bytes = Array.from(letter, (unit) => escapedByte(unit.charCodeAt(0)));
  return letter.isWellFormed() ? goQuote(letter) : `"${bytes.map((byte) => `\\x${byte!.toString(16)}`).join("")}"`;
}

function wellFormed(text: string, isBroken: boolean): string {
  return isBroken ? text.toWellFormed() : text;
}

function unicodeEscape(escape: string, report: (detail: string) => void): string {
  const long = escape[1] === "U";
  if (escape.length !== (long ? 10 : 6)) {
    report(`The \\${long ? "U" : "u"} escape sequence must be followed by ${long ? "eight" : "four"} hexadecimal digits.`);
    return escape;
  }
  const code = Number.parseInt(escape.slice(2), 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    report(`Cannot encode character U+${code.toString(16).padStart(4, "0")} in UTF-8.`);
    return escape;
  }
  return String.fromCodePoint(code);
}

/**
 * Ranges of invalid escape sequences, computed in one pass over the token. Each sequence, and each text between two, is counted
 * separately: grapheme clusters do not extend across their borders.
 */
class EscapePlaces {
  readonly #parser: Parser;
  readonly #raw: string;
  readonly #startIndex: number;
  /** Start and end offsets of the sequences not counted yet. */
  readonly #borders: number[] = [];
  #offset = 0;
  #position: SourcePosition;

  constructor(parser: Parser, token: number, raw: string) {
    this.#parser = parser;
    this.#raw = raw;
    this.#startIndex = parser.tokens.startIndex(token);
    this.#position = parser.tokens.start(token);
  }

  /** Adds an escape sequence. */
  add(offset: number, length: number): void {
    this.#borders.push(offset, offset + length);
  }

  /** Reports an error in the sequence that was added last. */
  report(detail: string): void {
    const end = this.#borders.pop()!;
    for (const border of this.#borders) this.#moveTo(border);
    this.#borders.length = 0;
    const start = this.#position;
    this.#moveTo(end);
    const subject: SourceRange = { filename: this.#parser.tokens.filename, start, end: this.#position };
    this.#parser.error("Invalid escape sequence", detail, subject);
  }

  #moveTo(offset: number): void {
    const { line, column, byte } = this.#position;
    const advance = advanceOver(this.#raw.slice(this.#offset, offset), column);
    const bytes = this.#parser.tokens.source.byteLength(this.#startIndex + this.#offset, this.#startIndex + offset);
    this.#position = { line: line + advance.lines, column: advance.column, byte: byte + bytes };
    this.#offset = offset;
  }
}

/** Parses a quoted string without templates, such as a block label. The next token is its quote. */
export function parseQuotedString(parser: Parser): { readonly text: string; readonly range: SourceRange } {
  const open = parser.read();
  let text = "";
  for (;;) {
    const token = parser.read();
    const context = (): SourceRange => parser.tokens.between(open, token);
    switch (parser.kind(token)) {
      case Kind.CQuote:
        return { text, range: context() };
      case Kind.QuotedLit:
        text += literalText(parser, token);
        break;
      case Kind.TemplateControl:
      case Kind.TemplateInterp: {
        const sigil = parser.kind(token) === Kind.TemplateControl ? "%" : "$";
        parser.error(
          "Invalid string literal",
          `Template sequences are not allowed in this string. To include a literal "${sigil}", double it (as "${sigil}${sigil}") to escape it.`,
          parser.range(token),
          context(),
        );
        // The placeholder shows readers of the tree that text is missing.
        text += `${sigil}{ ... }`;
        parser.skipPast(Kind.TemplateSeqEnd);
        break;
      }
      case Kind.Eof:
        parser.error(
          "Unterminated string literal",
          "Unable to find the closing quote mark before the end of the file.",
          parser.range(token),
          context(),
        );
        return { text, range: context() };
      default:
        parser.error("Invalid string literal", "This item is not valid in a string literal.", parser.range(token), context());
        parser.skipPast(Kind.CQuote);
        return { text, range: context() };
    }
  }
}
