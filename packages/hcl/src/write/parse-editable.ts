// SPDX-License-Identifier: Apache-2.0
import { parseConfig } from "../parse/parse.ts";
import { scan } from "../scan/scanner.ts";
import { Kind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";
import type { AttributeSyntax, BlockSyntax, BodySyntax } from "../syntax/body.ts";
import { hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import { indentationOf } from "./blank-lines.ts";
import { EditableAttribute, EditableBlock, EditableBody, type BodyPiece } from "./editable-body.ts";
import { TokenStarts } from "./token-starts.ts";

/** Result of {@link parseEditable}. */
export interface ParsedEditable {
  /** Content of the file; undefined if the source has errors. */
  readonly body: EditableBody | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a file of the native syntax for editing. Until the first edit, `String(body)` is the source, byte for byte.
 *
 * @example
 * const { body } = parseEditable("a = 1 # one\n", "main.tf");
 * body?.setAttribute("a", "2");
 * String(body) // => "a = 2 # one\n"
 */
export function parseEditable(source: string, filename: string): ParsedEditable {
  const text = source.toWellFormed();
  const { body, diagnostics } = parseConfig(text, filename);
  if (hasErrors(diagnostics)) return { body: undefined, diagnostics };
  return { body: new Reader(scan(text, filename, "config")).file(body), diagnostics };
}

class Reader {
  readonly #tokens: Tokens;
  readonly #text: string;
  readonly #newline: string;
  readonly #starts: TokenStarts;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.#text = tokens.source.text;
    this.#newline = this.#text.includes("\r\n") ? "\r\n" : "\n";
    this.#starts = new TokenStarts(tokens);
  }

  file(body: BodySyntax): EditableBody {
    const last = this.#tokens.count - 1;
    return new EditableBody([...this.#pieces(body, 0, last, 0), this.#text.slice(this.#endBefore(last))], this.#newline, undefined, "");
  }

  /** The pieces between two tokens, from an offset; without the white space before the second token. */
  #pieces(body: BodySyntax, first: number, last: number, from: number): BodyPiece[] {
    const items = [...body.attributes.values(), ...body.blocks].sort((a, b) => a.range.start.byte - b.range.start.byte);
    const pieces: BodyPiece[] = [];
    let token = first;
    let at = from;
    for (const item of items) {
      const start = this.#starts.at(item.range.start.byte);
      const lead = this.#leadOf(start, token);
      const leadStart = lead === 0 ? Number(this.#text.startsWith("\ufeff")) : this.#tokens.endIndex(lead - 1);
      if (at < leadStart) pieces.push(this.#text.slice(at, leadStart));
      const after = this.#starts.at(item.range.end.byte);
      token = this.#trailerEnd(after, last);
      at = this.#endBefore(token);
      const leadText = this.#text.slice(leadStart, this.#tokens.startIndex(start));
      const trailer = this.#text.slice(this.#endBefore(after), at);
      pieces.push(item.kind === "attribute" ? this.#attribute(item, after, leadText, trailer) : this.#block(item, leadText, trailer));
    }
    const end = this.#endBefore(last);
    if (at < end) pieces.push(this.#text.slice(at, end));
    return pieces;
  }

  #attribute({ name, nameRange, equalsRange }: AttributeSyntax, after: number, lead: string, trailer: string): EditableAttribute {
    let value = this.#starts.at(equalsRange.start.byte) + 1;
    while (this.#tokens.isComment(value)) value += 1;
    const start = this.#tokens.startIndex(this.#starts.at(nameRange.start.byte));
    const middle = this.#tokens.startIndex(value);
    return new EditableAttribute(name, lead, this.#text.slice(start, middle), this.#text.slice(middle, this.#endBefore(after)), trailer);
  }

  #block(block: BlockSyntax, lead: string, trailer: string): EditableBlock {
    const { type, labels, body, typeRange, labelRanges, openBraceRange, closeBraceRange } = block;
    const open = this.#starts.at(openBraceRange.start.byte);
    const close = this.#starts.at(closeBraceRange.start.byte);
    const from = this.#tokens.endIndex(open);
    // A comment on the line of the opening brace does not belong to the first item of the body.
    const line = this.#trailerEnd(open + 1, close);
    const first = this.#text.slice(from, this.#endBefore(line)).endsWith("\n") ? line : open + 1;
    const pieces = this.#pieces(body, first, close, from);
    const end = this.#text.slice(this.#endBefore(close), this.#tokens.startIndex(close));
    const made = new EditableBody(pieces, this.#newline, indentationOf(lead), end);
    const typeEnd = this.#tokens.endIndex(this.#starts.at(typeRange.start.byte));
    const lastLabel = labelRanges.at(-1);
    const labelsEnd = lastLabel === undefined ? typeEnd : this.#endBefore(this.#starts.at(lastLabel.end.byte));
    const [labelsText, opening] = [this.#text.slice(typeEnd, labelsEnd), this.#text.slice(labelsEnd, from)];
    return new EditableBlock(type, labels, made, lead, labelsText, opening, trailer);
  }

  /** First of the comments directly above a token, or the token itself. */
  #leadOf(start: number, first: number): number {
    let lead = start;
    while (lead > first && this.#tokens.isComment(lead - 1)) lead -= 1;
    return lead;
  }

  /** The token after the comments and the newline that follow on the same line. */
  #trailerEnd(start: number, last: number): number {
    for (let index = start; index < last; index++) {
      const kind = this.#tokens.kind(index);
      if (kind === Kind.Newline || kind === Kind.LineComment) return index + 1;
      if (kind !== Kind.Comment) return index;
    }
    return last;
  }

  #endBefore(token: number): number {
    return token === 0 ? 0 : this.#tokens.endIndex(token - 1);
  }
}
