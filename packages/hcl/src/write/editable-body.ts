// SPDX-License-Identifier: Apache-2.0
import { HclError } from "../error.ts";
import { isValidIdentifier } from "../scan/identifier.ts";
import { endOfLeadingBlankLines, indentationOf, startOfTrailingBlankLines } from "./blank-lines.ts";
import { endsWithHeredoc, quoteLabel, validExpression } from "./edit-text.ts";
import { PieceList, type PieceEntry } from "./piece-list.ts";
import { referenceRenaming, type ReferenceRenaming } from "./rename.ts";

/** `name = expression` with the comments above it and the rest of its line, as they are; a change makes another one. */
export class EditableAttribute {
  readonly name: string;
  /** Comments above, and indentation. */
  readonly lead: string;
  /** The name and `=`, up to the expression. */
  readonly head: string;
  /** The expression as it is written. */
  readonly expression: string;
  /** What follows in the line, with its end. */
  readonly trailer: string;

  /** @internal */
  constructor(name: string, lead: string, head: string, expression: string, trailer: string) {
    this.name = name;
    this.lead = lead;
    this.head = head;
    this.expression = expression;
    this.trailer = trailer;
  }

  /** As it is written. */
  toString(): string {
    return this.lead + this.head + this.expression + this.trailer;
  }
}

/** `type "label" { … }` with the comments above it and the rest of its last line. */
export class EditableBlock {
  readonly type: string;
  readonly body: EditableBody;
  /** Comments above, and indentation. */
  readonly lead: string;
  /** What follows the closing brace in its line, with its end. */
  readonly trailer: string;
  #labels: readonly string[];
  /** From behind the type to the end of the last label. */
  #labelsText: string;
  /** From behind that to the opening brace. */
  readonly #opening: string;

  /** @internal */
  constructor(
    type: string,
    labels: readonly string[],
    body: EditableBody,
    lead: string,
    labelsText: string,
    opening: string,
    trailer: string,
  ) {
    this.type = type;
    this.#labels = labels;
    this.body = body;
    this.lead = lead;
    this.#labelsText = labelsText;
    this.#opening = opening;
    this.trailer = trailer;
  }

  get labels(): readonly string[] {
    return this.#labels;
  }

  /** Type, labels and the opening brace, as they are written. */
  get head(): string {
    return this.type + this.#labelsText + this.#opening;
  }

  /** Gives the block other labels, as many as may be; comments between the old ones go with them. What refers to it stays as it is. */
  setLabels(labels: readonly string[]): void {
    this.#labels = [...labels];
    this.#labelsText = writtenLabels(labels);
  }

  /** As it is written. */
  toString(): string {
    return `${this.lead}${this.head}${this.body.toString()}}${this.trailer}`;
  }
}

const writtenLabels = (labels: readonly string[]): string => labels.map((label) => ` ${quoteLabel(label)}`).join("");

/** Something in a body; strings are blank lines, and comments that stand alone. */
export type BodyPiece = EditableAttribute | EditableBlock | string;

type BodyItem = EditableAttribute | EditableBlock;

/** No two attributes of a body have the same name. */
const keyOf = (item: BodyItem): string | EditableBlock => (item instanceof EditableAttribute ? item.name : item);

/**
 * What is between two braces, or a whole file, to be changed in place. What is not changed keeps its comments and layout to
 * the last byte. New lines are indented as those around them; `format` aligns them.
 */
export class EditableBody {
  readonly #pieces: PieceList<BodyItem, string | EditableBlock>;
  readonly #newline: string;
  /** Indentation of the line the body's block starts in; undefined for a file. */
  readonly #outer: string | undefined;
  /** White space before the closing brace. */
  #end: string;

  /** @internal */
  constructor(pieces: readonly BodyPiece[], newline: string, outer: string | undefined, end: string) {
    this.#pieces = new PieceList(pieces, keyOf);
    this.#newline = newline;
    this.#outer = outer;
    this.#end = end;
  }

  /** In the order of the source. */
  get attributes(): readonly EditableAttribute[] {
    return [...this.#pieces].filter((piece) => piece instanceof EditableAttribute);
  }

  attribute(name: string): EditableAttribute | undefined {
    return this.#pieces.find(name)?.piece as EditableAttribute | undefined;
  }

  /** In the order of the source: all, those of a type, or those of a type with these first labels. */
  blocks(type?: string, ...labels: readonly string[]): readonly EditableBlock[] {
    const isMeant = (one: EditableBlock): boolean =>
      (type === undefined || one.type === type) && labels.every((label, index) => one.labels[index] === label);
    return [...this.#pieces].filter((piece) => piece instanceof EditableBlock).filter(isMeant);
  }

  /**
   * Gives an attribute another expression, or adds one at the end of the body. Where the expression ends with a heredoc, behind
   * which nothing may stand, a comment in the attribute's line moves above it.
   *
   * @param expression as it is to be written: `"text"`, `[1, 2]`, `var.name`.
   * @throws HclError `INVALID_EDIT` if the name or the expression is not valid there.
   */
  setAttribute(name: string, expression: string): void {
    requireName(name);
    const valid = validExpression(expression, this.#newline);
    const known = this.attribute(name);
    if (known === undefined) {
      const indentation = this.#beginLine();
      this.#pieces.append(new EditableAttribute(name, indentation, `${name} = `, valid, this.#newline));
    } else if (endsWithHeredoc(valid)) this.#setHeredoc(known, valid);
    else this.#replace(known, { expression: valid });
  }

  /** Takes an attribute away, with the comments above it and in its line, and blank lines that then would be two of a kind. Was there one? */
  removeAttribute(name: string): boolean {
    return this.#remove(name);
  }

  /**
   * Adds a block without content at the end of the body, after an empty line if something stands before it.
   *
   * @throws HclError `INVALID_EDIT` if the type is no name.
   */
  addBlock(type: string, labels: readonly string[] = []): EditableBlock {
    requireName(type);
    const indentation = this.#beginLine();
    if (this.#pieces.itemCount > 0) this.#pieces.append(this.#newline);
    const body = new EditableBody([this.#newline], this.#newline, indentation, indentation);
    const block = new EditableBlock(type, [...labels], body, indentation, writtenLabels(labels), " {", this.#newline);
    this.#pieces.append(block);
    return block;
  }

  /** Takes a block of this body away, with the comments above it and in its last line, and blank lines as for attributes. Was it there? */
  removeBlock(block: EditableBlock): boolean {
    return this.#remove(block);
  }

  /**
   * Writes another reference wherever one is used, here and in all blocks within: `var.old` to `var.new` makes
   * `var.old.name[0]` to `var.new.name[0]`. Names that an expression defines itself are left alone.
   *
   * @returns how many were changed.
   * @throws HclError `INVALID_EDIT` if one of the two is no reference, or the new one would be something else where the old one
   * is used: an expression's own name. Nothing is changed then.
   */
  renameReference(from: string, to: string): number {
    const changes: (() => void)[] = [];
    const count = this.#rename(referenceRenaming(from, to), changes);
    for (const change of changes) change();
    return count;
  }

  #rename(rename: ReferenceRenaming, changes: (() => void)[]): number {
    let count = 0;
    for (const piece of this.#pieces) {
      if (piece instanceof EditableBlock) count += piece.body.#rename(rename, changes);
      else if (piece instanceof EditableAttribute) {
        const renamed = rename(piece.expression);
        if (renamed.count > 0) changes.push(() => this.#replace(piece, { expression: renamed.expression }));
        count += renamed.count;
      }
    }
    return count;
  }

  #replace(old: EditableAttribute, change: Partial<Pick<EditableAttribute, "lead" | "expression" | "trailer">>): void {
    const { name, lead, head, expression, trailer } = { ...old, ...change };
    this.#pieces.replace(new EditableAttribute(name, lead, head, expression, trailer));
  }

  /** Nothing but a newline may stand behind a heredoc. */
  #setHeredoc(known: EditableAttribute, expression: string): void {
    if (!known.trailer.endsWith("\n")) this.#beginLine();
    const { name, lead, trailer } = this.attribute(known.name)!;
    const comment = trailer.trim();
    const line = lead.lastIndexOf("\n") + 1;
    const above = comment === "" ? "" : indentationOf(lead) + comment + this.#newline;
    const rest = trailer.endsWith("\r\n") ? "\r\n" : trailer.endsWith("\n") ? "\n" : "";
    this.#replace(this.attribute(name)!, { expression, lead: lead.slice(0, line) + above + lead.slice(line), trailer: rest });
  }

  #remove(key: string | EditableBlock): boolean {
    const entry = this.#pieces.find(key);
    if (entry === undefined) return false;
    const { before, after } = entry;
    this.#pieces.remove(entry);
    this.#joinBlankLines(before, after);
    return true;
  }

  /** Where something was taken away between blank lines, or between them and an end of the body, they are left on one side. */
  #joinBlankLines(before: PieceEntry<BodyItem> | undefined, after: PieceEntry<BodyItem> | undefined): void {
    const above = typeof before?.piece === "string" ? before.piece : "";
    const below = typeof after?.piece === "string" ? after.piece : "";
    // The first line of a block's body is the rest of its brace's line.
    const isBraceLine = this.#outer !== undefined && before !== undefined && before === this.#pieces.first;
    const body = isBraceLine ? above.indexOf("\n") + 1 : 0;
    const start = Math.max(body, startOfTrailingBlankLines(above));
    const end = endOfLeadingBlankLines(below);
    const isFirst = before === undefined || (typeof before.piece === "string" && before === this.#pieces.first && start === body);
    const isLast = after === undefined || (typeof after.piece === "string" && after === this.#pieces.last && end === below.length);
    if (isLast && typeof before?.piece === "string") this.#pieces.setText(before, above.slice(0, start));
    else if (typeof after?.piece === "string" && (isFirst || start < above.length)) this.#pieces.setText(after, below.slice(end));
  }

  /** Makes the end of the body the start of a line, and tells its indentation. */
  #beginLine(): string {
    if (!this.#endsLine()) {
      const only = this.#pieces.first?.piece;
      // Where something stands right behind the brace it is all that there is.
      if (this.#outer !== undefined && only instanceof EditableAttribute) {
        this.#pieces.prepend(this.#newline);
        this.#replace(only, { lead: `${this.#outer}  ${only.lead.trimStart()}` });
      }
      this.#pieces.append(this.#newline);
      this.#end = this.#outer ?? "";
    }
    for (let entry = this.#pieces.last; entry !== undefined; entry = entry.before)
      if (typeof entry.piece !== "string") return indentationOf(entry.piece.lead);
    return this.#outer === undefined ? "" : `${this.#outer}  `;
  }

  #endsLine(): boolean {
    const piece = this.#pieces.last?.piece;
    if (piece === undefined) return this.#outer === undefined;
    return typeof piece === "string" ? piece.endsWith("\n") || piece === "\ufeff" : piece.trailer.endsWith("\n");
  }

  /** As it is written, without the braces. */
  toString(): string {
    return [...this.#pieces].join("") + this.#end;
  }
}

function requireName(name: string): void {
  if (!isValidIdentifier(name)) throw new HclError("INVALID_EDIT", `${JSON.stringify(name)} is no name for an attribute or block`);
}
