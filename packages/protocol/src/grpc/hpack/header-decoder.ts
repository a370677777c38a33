// SPDX-License-Identifier: Apache-2.0
import { CompressionError } from "./compression-error.ts";
import { HeaderList } from "./header-list.ts";
import { decodeHuffman } from "./huffman.ts";
import { staticTable } from "./static-table.ts";

/** Size of an entry in addition to the bytes of its name and value. @see RFC 7541, section 4.1 */
const entryOverhead = 32;

/** Default size of a header table, in bytes; the decoder does not change it. */
export const headerTableSize = 4096;

/** Size of the cache: number of blocks, and the maximum length of a block in bytes. Most calls send one of a few blocks. */
const cacheSize = { blocks: 64, length: 512 };

/** Decodes the header blocks of one connection, in their order. */
export class HeaderDecoder {
  readonly #maxListSize: number;
  /** Dynamic table, newest entry last: index 62 is the last element. */
  readonly #table: (readonly [name: string, value: string])[] = [];
  #tableSize = 0;
  #maxTableSize = headerTableSize;
  /** Decoded blocks that do not change the table, by their bytes. Cleared when the table changes. */
  readonly #cache = new Map<string, HeaderList>();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  /** @param maxListSize - size above which a list is truncated, counted as in RFC 9113, section 6.5.2. */
  constructor(maxListSize: number) {
    this.#maxListSize = maxListSize;
  }

  /** Decodes a block. @throws CompressionError when it is malformed. */
  decode(bytes: Buffer, start: number, end: number): HeaderList {
    if (end - start > cacheSize.length) return this.#read(bytes, start, end).list;
    const key = bytes.toString("latin1", start, end);
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const { list, changed } = this.#read(bytes, start, end);
    if (!changed) {
      if (this.#cache.size >= cacheSize.blocks) this.#cache.clear();
      this.#cache.set(key, list);
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
    let hasHeader = false;
    while (this.#at < end) {
      const first = bytes[this.#at]!;
      if ((first & 0xe0) === 0x20) {
        if (hasHeader) throw new CompressionError("a header block changes the table size after its first header");
        this.#resize(this.#integer(5));
        changed = true;
        continue;
      }
      hasHeader = true;
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
      // The rest must still be decoded, because it may change the table.
      if (size <= this.#maxListSize) fields.push(field[0], field[1]);
    }
    if (changed) this.#cache.clear();
    // Do not keep the chunk that contains the block.
    this.#bytes = Buffer.alloc(0);
    return { list: new HeaderList(fields, size > this.#maxListSize), changed };
  }

  #entry(index: number): readonly [name: string, value: string] {
    const entry = index <= staticTable.length ? staticTable[index - 1] : this.#table[this.#table.length - (index - staticTable.length)];
    if (entry === undefined) throw new CompressionError(`no header with index ${index}`);
    return entry;
  }

  #add(field: readonly [name: string, value: string]): void {
    this.#tableSize += field[0].length + field[1].length + entryOverhead;
    this.#table.push(field);
    this.#evict();
  }

  #resize(size: number): void {
    if (size > headerTableSize) throw new CompressionError(`header table of ${size} bytes; the maximum is ${headerTableSize}`);
    this.#maxTableSize = size;
    this.#evict();
  }

  #evict(): void {
    let evicted = 0;
    while (this.#tableSize > this.#maxTableSize) {
      const [name, value] = this.#table[evicted++]!;
      this.#tableSize -= name.length + value.length + entryOverhead;
    }
    if (evicted > 0) this.#table.splice(0, evicted);
  }

  /** @see RFC 7541, section 5.1 */
  #integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      // No valid number is that large. The shift limits the number of leading zeros.
      if (value > 0xff_ffff || shift > 28) throw new CompressionError("a number in a header block is too large");
      if (byte < 0x80) return value;
    }
  }

  #string(): string {
    const huffman = this.#at < this.#end && (this.#bytes[this.#at]! & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#end) throw truncated();
    return huffman ? decodeHuffman(this.#bytes, start, this.#at) : this.#bytes.toString("latin1", start, this.#at);
  }

  #byte(): number {
    if (this.#at >= this.#end) throw truncated();
    return this.#bytes[this.#at++]!;
  }
}

function truncated(): CompressionError {
  return new CompressionError("a header block is truncated");
}
