// SPDX-License-Identifier: Apache-2.0

/** A piece and those it stands between; the text of one that is a string can be changed in place. */
export interface PieceEntry<Item extends object> {
  piece: Item | string;
  before: PieceEntry<Item> | undefined;
  after: PieceEntry<Item> | undefined;
}

/** Items, and texts between them, in order. Any can be replaced or taken out without a look at the others. */
export class PieceList<Item extends object> implements Iterable<Item | string> {
  #first: PieceEntry<Item> | undefined;
  #last: PieceEntry<Item> | undefined;
  readonly #entries = new Map<Item, PieceEntry<Item>>();

  constructor(pieces: Iterable<Item | string>) {
    for (const piece of pieces) this.append(piece);
  }

  get first(): PieceEntry<Item> | undefined {
    return this.#first;
  }

  get last(): PieceEntry<Item> | undefined {
    return this.#last;
  }

  /** How many items there are. */
  get itemCount(): number {
    return this.#entries.size;
  }

  entryOf(item: Item): PieceEntry<Item> | undefined {
    return this.#entries.get(item);
  }

  append(piece: Item | string): void {
    this.#link({ piece, before: this.#last, after: undefined });
  }

  prepend(piece: Item | string): void {
    this.#link({ piece, before: undefined, after: this.#first });
  }

  /** Puts an item in the place of one that is in the list. */
  replace(old: Item, item: Item): void {
    const entry = this.#entries.get(old)!;
    entry.piece = item;
    this.#entries.delete(old);
    this.#entries.set(item, entry);
  }

  remove(entry: PieceEntry<Item>): void {
    const { piece, before, after } = entry;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    if (typeof piece !== "string") this.#entries.delete(piece);
  }

  *[Symbol.iterator](): Generator<Item | string, void> {
    for (let entry = this.#first; entry !== undefined; entry = entry.after) yield entry.piece;
  }

  #link(entry: PieceEntry<Item>): void {
    if (entry.before === undefined) this.#first = entry;
    else entry.before.after = entry;
    if (entry.after === undefined) this.#last = entry;
    else entry.after.before = entry;
    if (typeof entry.piece !== "string") this.#entries.set(entry.piece, entry);
  }
}
