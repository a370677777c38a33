// SPDX-License-Identifier: Apache-2.0
import { HclError } from "../error.ts";
import { isValidIdentifier } from "../scan/identifier.ts";
import { endOfLeadingBlankLines, indentationOf, startOfTrailingBlankLines } from "./blank-lines.ts";
import { endsWithHeredoc, quoteLabel, validExpression } from "./edit-text.ts";
import { PieceList, type PieceEntry } from "./piece-list.ts";
import { referenceRenaming, type ReferenceRenaming } from "./rename.ts";

/** `name = expression` with the comments above it and the rest of its line. Immutable: an edit creates another one. */
export class EditableAttribute {
  readonly name: string;
  /** Comments above, and the indentation. */
  readonly lead: string;
  /** The name and `=`, up to the expression. */
  readonly head: string;
  /** Source text of the expression. */
  readonly expression: string;
  /** Rest of the line, with its newline. */
  readonly trailer: string;

  /** @internal */
  constructor(name: string, lead: string, head: string, expression: string, trailer: string) {
    this.name = name;
    this.lead = lead;
    this.head = head;
    this.expression = expression;
    this.trailer = trailer;
  }

  /** Source text. */
  toString(): string {
    return this.lead + this.head + this.expression + this.trailer;
  }
}

/** `type "label" { … }` with the comments above it and the rest of its last line. */
export class EditableBlock {
  readonly type: string;
  readonly body: EditableBody;
  /** Comments above, and the indentation. */
  readonly lead: string;
  /** Rest of the line after the closing brace, with its newline. */
  readonly trailer: string;
  #labels: readonly string[];
  /** Text between the type and the end of the last label. */
  #labelsText: string;
  /** Text between the last label and the opening brace. */
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

  /** Source text of the type, the labels and the opening brace. */
  get head(): string {
    return this.type + this.#labelsText + this.#opening;
  }

  /** Replaces the labels of the block by any number of others. Comments between the old labels are removed; references to the block do not change. */
  setLabels(labels: readonly string[]): void {
    this.#labels = [...labels];
    this.#labelsText = writtenLabels(labels);
  }

  /** Source text. */
  toString(): string {
    return `${this.lead}${this.head}${this.body.toString()}}${this.trailer}`;
  }
}

const writtenLabels = (labels: readonly string[]): string => labels.map((label) => ` ${quoteLabel(label)}`).join("");

/** A piece of a body; a string has blank lines and separate comments. */
export type BodyPiece = EditableAttribute | EditableBlock | string;

type BodyItem = EditableAttribute | EditableBlock;

/** Key of an item: the name of an attribute, which is unique in a body, or the block itself. */
const keyOf = (item: BodyItem): string | EditableBlock => (item instanceof EditableAttribute ? item.name : item);

/**
 * The content of a file or block, edited in place. Everything that is not edited keeps its bytes, comments and layout included. New lines
 * are indented like those around them; `format` aligns them.
 */
export class EditableBody {
  readonly #pieces: PieceList<BodyItem, string | EditableBlock>;
  readonly #newline: string;
  /** Indentation of the line on which the body's block starts; undefined for a file. */
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

  /** Attributes in source order. */
  get attributes(): readonly EditableAttribute[] {
    return [...this.#pieces].filter((piece) => piece instanceof EditableAttribute);
  }

  attribute(name: string): EditableAttribute | undefined {
    return this.#pieces.find(name)?.piece as EditableAttribute | undefined;
  }

  /** Blocks in source order: all, those of a type, or those of a type with these first labels. */
  blocks(type?: string, ...labels: readonly string[]): readonly EditableBlock[] {
    const isMeant = (one: EditableBlock): boolean =>
      (type === undefined || one.type === type) && labels.every((label, index) => one.labels[index] === label);
    return [...this.#pieces].filter((piece) => piece instanceof EditableBlock).filter(isMeant);
  }

  /**
   * Sets the expression of an attribute, or adds an attribute at the end of the body. If the expression ends with a heredoc, after which
   * nothing may follow, a comment on the attribute's line moves above it.
   *
   * @param expression Source text: `"text"`, `[1, 2]`, `var.name`.
   * @throws HclError `INVALID_EDIT` for an invalid name or expression.
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

  /** Removes an attribute, with the comments above it and on its line, and the blank lines on one side of it. Returns whether it existed. */
  removeAttribute(name: string): boolean {
    return this.#remove(name);
  }

  /**
   * Adds an empty block at the end of the body, after a blank line unless the body is empty.
   *
   * @throws HclError `INVALID_EDIT` for an invalid block type.
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

  /** Removes a block, with the comments above it and on its last line, and the blank lines on one side of it. Returns whether it was in the body. */
  removeBlock(block: EditableBlock): boolean {
    return this.#remove(block);
  }

  /**
   * Renames a reference in this body and all nested blocks: from `var.old` to `var.new`, `var.old.name[0]` becomes `var.new.name[0]`. Names
   * that an expression defines itself are not renamed.
   *
   * @returns Number of renamed references.
   * @throws HclError `INVALID_EDIT` if either is not a reference, or if an expression defines the new name itself where the old one is
   * used. Nothing is changed then.
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

  /** Sets an expression that ends with a heredoc, after which only a newline may follow. */
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

  /** After a removal between blank lines, or between blank lines and an end of the body, keeps those on one side only. */
  #joinBlankLines(before: PieceEntry<BodyItem> | undefined, after: PieceEntry<BodyItem> | undefined): void {
    const above = typeof before?.piece === "string" ? before.piece : "";
    const below = typeof after?.piece === "string" ? after.piece : "";
    // The first line of a block's body is the rest of the line of its opening brace.
    const isBraceLine = this.#outer !== undefined && before !== undefined && before === this.#pieces.first;
    const body = isBraceLine ? above.indexOf("\n") + 1 : 0;
    const start = Math.max(body, startOfTrailingBlankLines(above));
    const end = endOfLeadingBlankLines(below);
    const isFirst = before === undefined || (typeof before.piece === "string" && before === this.#pieces.first && start === body);
    const isLast = after === undefined || (typeof after.piece === "string" && after === this.#pieces.last && end === below.length);
    if (isLast && typeof before?.piece === "string") this.#pieces.setText(before, above.slice(0, start));
    else if (typeof after?.piece === "string" && (isFirst || start < above.length)) this.#pieces.setText(after, below.slice(end));
  }

  /** Ensures that the end of the body is the start of a line, and returns the indentation for it. */
  #beginLine(): string {
    if (!this.#endsLine()) {
      const only = this.#pieces.first?.piece;
      // An attribute on the line of the opening brace is the only item of the body.
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

  /** Source text without the braces. */
  toString(): string {
    return [...this.#pieces].join("") + this.#end;
  }
}

function requireName(name: string): void {
  if (!isValidIdentifier(name)) throw new HclError("INVALID_EDIT", `${JSON.stringify(name)} is not a valid name of an attribute or block`);
}
