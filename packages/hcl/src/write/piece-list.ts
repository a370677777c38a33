// SPDX-License-Identifier: Apache-2.0

/** A list entry with its neighbours; only the list changes it. */
export interface PieceEntry<Item extends object> {
  piece: Item | string;
  before: PieceEntry<Item> | undefined;
  after: PieceEntry<Item> | undefined;
}

/** A list of items and non-empty texts between them, in which any piece is found, replaced and removed in constant time. */
export class PieceList<Item extends object, Key> implements Iterable<Item | string> {
  readonly #keyOf: (item: Item) => Key;
  #first: PieceEntry<Item> | undefined;
  #last: PieceEntry<Item> | undefined;
  #itemCount = 0;
  /** Created on first use, because most bodies of a file are not edited. */
  #byKey: Map<Key, PieceEntry<Item>> | undefined;

  constructor(pieces: Iterable<Item | string>, keyOf: (item: Item) => Key) {
    this.#keyOf = keyOf;
    for (const piece of pieces) this.append(piece);
  }

  get first(): PieceEntry<Item> | undefined {
    return this.#first;
  }

  get last(): PieceEntry<Item> | undefined {
    return this.#last;
  }

  get itemCount(): number {
    return this.#itemCount;
  }

  find(key: Key): PieceEntry<Item> | undefined {
    if (this.#byKey === undefined) {
      this.#byKey = new Map();
      for (let entry = this.#first; entry !== undefined; entry = entry.after)
        if (typeof entry.piece !== "string") this.#byKey.set(this.#keyOf(entry.piece), entry);
    }
    return this.#byKey.get(key);
  }

  append(piece: Item | string): void {
    if (piece !== "") this.#link({ piece, before: this.#last, after: undefined });
  }

  prepend(piece: Item | string): void {
    if (piece !== "") this.#link({ piece, before: undefined, after: this.#first });
  }

  /** Replaces the item with the same key. */
  replace(item: Item): void {
    this.find(this.#keyOf(item))!.piece = item;
  }

  /** Replaces a text; an empty text removes the entry. */
  setText(entry: PieceEntry<Item>, text: string): void {
    if (text === "") this.remove(entry);
    else entry.piece = text;
  }

  remove({ piece, before, after }: PieceEntry<Item>): void {
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    if (typeof piece === "string") return;
    this.#itemCount -= 1;
    this.#byKey?.delete(this.#keyOf(piece));
  }

  *[Symbol.iterator](): Generator<Item | string, void> {
    for (let entry = this.#first; entry !== undefined; entry = entry.after) yield entry.piece;
  }

  #link(entry: PieceEntry<Item>): void {
    if (entry.before === undefined) this.#first = entry;
    else entry.before.after = entry;
    if (entry.after === undefined) this.#last = entry;
    else entry.after.before = entry;
    if (typeof entry.piece === "string") return;
    this.#itemCount += 1;
    this.#byKey?.set(this.#keyOf(entry.piece), entry);
  }
}
