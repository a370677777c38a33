// SPDX-License-Identifier: Apache-2.0
import { errorCode } from "../frames/frame.ts";
import { Violation } from "../frames/violation.ts";
import { HeaderList } from "./header-list.ts";
import { decodeHuffman } from "./huffman.ts";
import { staticTable } from "./static-table.ts";

/** What an entry costs beside its bytes. RFC 7541, section 4.1 */
const entryOverhead = 32;

/** How large our peer may let its table grow: what is true unless we say otherwise, and we do not. */
export const headerTableSize = 4096;

/** How many blocks to remember, and up to what length in bytes: calls come with the same few. */
const memory = { blocks: 64, length: 512 };

/** Reads header blocks of one connection, in their order. */
export class HeaderDecoder {
  readonly #maxListSize: number;
  /** Newest last, so that adding is cheap: index 62 is the end. */
  readonly #table: (readonly [name: string, value: string])[] = [];
  #tableSize = 0;
  #maxTableSize = headerTableSize;
  /** Blocks that neither read nor change what changes. Cleared when the table does. */
  readonly #remembered = new Map<string, HeaderList>();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  /** @param maxListSize Beyond this size, as RFC 9113 counts it, a list is cut off. */
  constructor(maxListSize: number) {
    this.#maxListSize = maxListSize;
  }

  /** @throws Violation where the block is none. */
  decode(bytes: Buffer, start: number, end: number): HeaderList {
    if (end - start > memory.length) return this.#read(bytes, start, end).list;
    const key = bytes.toString("latin1", start, end);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const { list, changed } = this.#read(bytes, start, end);
    if (!changed) {
      if (this.#remembered.size >= memory.blocks) this.#remembered.clear();
      this.#remembered.set(key, list);
    }
    return list;
  }

  #read(bytes: Buffer, start: number, end: number): { list: HeaderList; changed: boolean } {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    const fields: string[] = [];
    let size = 0;
    let changed = false;
    let begun = false;
    while (this.#at < end) {
      const first = bytes[this.#at]!;
      if ((first & 0xe0) === 0x20) {
        if (begun) throw new Violation(errorCode.compressionError, "a table size in the middle of a header block");
        this.#resize(this.#integer(5));
        changed = true;
        continue;
      }
      begun = true;
      let field: readonly [name: string, value: string];
      if (first & 0x80) field = this.#entry(this.#integer(7));
      else {
        const indexed = (first & 0xc0) === 0x40;
        const index = this.#integer(indexed ? 6 : 4);
        const name = index === 0 ? this.#string() : this.#entry(index)[0];
        field = [name, this.#string()];
        if (indexed) {
          this.#add(field);
          changed = true;
        }
      }
      size += field[0].length + field[1].length + entryOverhead;
      // The rest still belongs to the state of the table.
      if (size <= this.#maxListSize) fields.push(field[0], field[1]);
    }
    if (changed) this.#remembered.clear();
    // The block must not keep what it was cut from.
    this.#bytes = Buffer.alloc(0);
    return { list: new HeaderList(fields, size > this.#maxListSize), changed };
  }

  #entry(index: number): readonly [name: string, value: string] {
    const entry = index <= staticTable.length ? staticTable[index - 1] : this.#table[this.#table.length - (index - staticTable.length)];
    if (entry === undefined) throw new Violation(errorCode.compressionError, `no header has the index ${index}`);
    return entry;
  }

  #add(field: readonly [name: string, value: string]): void {
    this.#tableSize += field[0].length + field[1].length + entryOverhead;
    this.#table.push(field);
    this.#evict();
  }

  #resize(size: number): void {
    if (size > headerTableSize) throw new Violation(errorCode.compressionError, `a header table of ${size} bytes`);
    this.#maxTableSize = size;
    this.#evict();
  }

  #evict(): void {
    let gone = 0;
    while (this.#tableSize > this.#maxTableSize) {
      const [name, value] = this.#table[gone++]!;
      this.#tableSize -= name.length + value.length + entryOverhead;
    }
    if (gone > 0) this.#table.splice(0, gone);
  }

  /** @see RFC 7541, section 5.1 */
  #integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      // Nothing here is that large, and leading zeros would go on for ever.
      if (value > 0xff_ffff || shift > 28) throw new Violation(errorCode.compressionError, "a number in a header block is too large");
      if (byte < 0x80) return value;
    }
  }

  #string(): string {
    const huffman = this.#at < this.#end && (this.#bytes[this.#at]! & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#end) throw cutOff();
    return huffman ? decodeHuffman(this.#bytes, start, this.#at) : this.#bytes.toString("latin1", start, this.#at);
  }

  #byte(): number {
    if (this.#at >= this.#end) throw cutOff();
    return this.#bytes[this.#at++]!;
  }
}

function cutOff(): Violation {
  return new Violation(errorCode.compressionError, "a header block is cut off");
}
