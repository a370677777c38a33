// SPDX-License-Identifier: Apache-2.0
import { HclError } from "../error.ts";
import { isValidIdentifier } from "../scan/identifier.ts";
import { endsWithHeredoc, quoteLabel, validExpression } from "./edit-text.ts";
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
  readonly labels: readonly string[];
  readonly body: EditableBody;
  /** Comments above, and indentation. */
  readonly lead: string;
  /** Type, labels and the opening brace. */
  readonly head: string;
  /** What follows the closing brace in its line, with its end. */
  readonly trailer: string;

  /** @internal */
  constructor(type: string, labels: readonly string[], body: EditableBody, lead: string, head: string, trailer: string) {
    this.type = type;
    this.labels = labels;
    this.body = body;
    this.lead = lead;
    this.head = head;
    this.trailer = trailer;
  }

  /** As it is written. */
  toString(): string {
    return `${this.lead}${this.head}${this.body.toString()}}${this.trailer}`;
  }
}

/** Something in a body; strings are blank lines, and comments that stand alone. */
export type BodyPiece = EditableAttribute | EditableBlock | string;

/**
 * What is between two braces, or a whole file, to be changed in place. What is not changed keeps its comments and layout to
 * the last byte. New lines are indented as those around them; `format` aligns them.
 */
export class EditableBody {
  readonly #pieces: BodyPiece[];
  readonly #newline: string;
  /** Indentation of the line the body's block starts in; undefined for a file. */
  readonly #outer: string | undefined;
  /** White space before the closing brace. */
  #end: string;

  /** @internal */
  constructor(pieces: BodyPiece[], newline: string, outer: string | undefined, end: string) {
    this.#pieces = pieces;
    this.#newline = newline;
    this.#outer = outer;
    this.#end = end;
  }

  /** In the order of the source. */
  get attributes(): readonly EditableAttribute[] {
    return this.#pieces.filter((piece) => piece instanceof EditableAttribute);
  }

  attribute(name: string): EditableAttribute | undefined {
    return this.attributes.find((one) => one.name === name);
  }

  /** In the order of the source: all, those of a type, or those of a type with these first labels. */
  blocks(type?: string, ...labels: readonly string[]): readonly EditableBlock[] {
    const isMeant = (one: EditableBlock): boolean =>
      (type === undefined || one.type === type) && labels.every((label, index) => one.labels[index] === label);
    return this.#pieces.filter((piece) => piece instanceof EditableBlock).filter(isMeant);
  }

  /**
   * Gives an attribute another expression, or adds one at the end of the body.
   *
   * @param expression as it is to be written: `"text"`, `[1, 2]`, `var.name`.
   * @throws HclError `INVALID_EDIT` if the name or the expression is not valid there.
   */
  setAttribute(name: string, expression: string): void {
    requireName(name);
    const valid = validExpression(expression, this.#newline);
    const known = this.attribute(name);
    if (known !== undefined) {
      if (endsWithHeredoc(valid)) this.#endLineAfter(known);
      this.#replace(this.attribute(name)!, { expression: valid });
      return;
    }
    const indentation = this.#beginLine();
    this.#pieces.push(new EditableAttribute(name, indentation, `${name} = `, valid, this.#newline));
  }

  /** Takes an attribute away, with the comments above it and in its line. Was there one? */
  removeAttribute(name: string): boolean {
    return this.#remove(this.attribute(name));
  }

  /**
   * Adds a block without content at the end of the body, after an empty line if something stands before it.
   *
   * @throws HclError `INVALID_EDIT` if the type is no name.
   */
  addBlock(type: string, labels: readonly string[] = []): EditableBlock {
    requireName(type);
    const indentation = this.#beginLine();
    if (this.#pieces.some((piece) => typeof piece !== "string")) this.#pieces.push(this.#newline);
    const head = `${[type, ...labels.map(quoteLabel)].join(" ")} {`;
    const body = new EditableBody([this.#newline], this.#newline, indentation, indentation);
    const block = new EditableBlock(type, labels, body, indentation, head, this.#newline);
    this.#pieces.push(block);
    return block;
  }

  /** Takes a block of this body away, with the comments above it and in its last line. Was it there? */
  removeBlock(block: EditableBlock): boolean {
    return this.#remove(block);
  }

  /**
   * Writes another reference wherever one is used, here and in all blocks within: `var.old` to `var.new` makes
   * `var.old.name[0]` to `var.new.name[0]`. Names that an expression defines itself are left alone.
   *
   * @returns how many were changed.
   * @throws HclError `INVALID_EDIT` if one of the two is no reference.
   */
  renameReference(from: string, to: string): number {
    return this.#rename(referenceRenaming(from, to));
  }

  #rename(rename: ReferenceRenaming): number {
    let count = 0;
    for (const piece of this.#pieces) {
      if (piece instanceof EditableBlock) count += piece.body.#rename(rename);
      else if (piece instanceof EditableAttribute) {
        const renamed = rename(piece.expression);
        if (renamed.count > 0) this.#replace(piece, { expression: renamed.expression });
        count += renamed.count;
      }
    }
    return count;
  }

  #replace(old: EditableAttribute, { lead = old.lead, expression = old.expression }: { lead?: string; expression?: string }): void {
    this.#pieces[this.#pieces.indexOf(old)] = new EditableAttribute(old.name, lead, old.head, expression, old.trailer);
  }

  #remove(piece: BodyPiece | undefined): boolean {
    const index = piece === undefined ? -1 : this.#pieces.indexOf(piece);
    if (index < 0) return false;
    this.#pieces.splice(index, 1);
    return true;
  }

  /** Nothing but a newline may stand behind a heredoc. */
  #endLineAfter({ name, trailer }: EditableAttribute): void {
    if (trailer.trim() !== "")
      throw new HclError(
        "INVALID_EDIT",
        `nothing may follow a heredoc in its line, but behind ${name} there is ${JSON.stringify(trailer.trim())}`,
      );
    if (trailer === "") this.#beginLine();
  }

  /** Makes the end of the body the start of a line, and tells its indentation. */
  #beginLine(): string {
    const written = this.#pieces.join("");
    if (!written.endsWith("\n") && (this.#outer !== undefined || (written !== "" && written !== "\ufeff"))) {
      const [only] = this.#pieces;
      // Where something stands right behind the brace it is all that there is.
      if (this.#outer !== undefined && only instanceof EditableAttribute) {
        this.#pieces.unshift(this.#newline);
        this.#replace(only, { lead: `${this.#outer}  ${only.lead.trimStart()}` });
      }
      this.#pieces.push(this.#newline);
      this.#end = this.#outer ?? "";
    }
    const items = this.#pieces.filter((piece) => typeof piece !== "string");
    const sibling = items.findLast(({ lead }) => /^[ \t]*$/.test(lead));
    return sibling?.lead ?? (this.#outer === undefined ? "" : `${this.#outer}  `);
  }

  /** As it is written, without the braces. */
  toString(): string {
    return this.#pieces.join("") + this.#end;
  }
}

function requireName(name: string): void {
  if (!isValidIdentifier(name)) throw new HclError("INVALID_EDIT", `${JSON.stringify(name)} is no name for an attribute or block`);
}
