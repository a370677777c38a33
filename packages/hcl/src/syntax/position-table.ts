// SPDX-License-Identifier: Apache-2.0
import type { SourcePosition } from "./position.ts";

/** Numbers an entry consists of: byte offset, line, column. */
const stride = 3;

/**
 * Positions of a source by their byte offset. An entry is needed only where the column does not advance by one with each byte:
 * after a newline and after a character of several bytes. So a table is much smaller than the positions it stands for.
 *
 * The fields are not private, so that test runners can compare and copy a tree property by property.
 */
export class PositionTable {
  readonly filename: string;
  entries: Int32Array<ArrayBuffer>;
  count = 0;

  constructor(filename: string, start: SourcePosition, expectedEntries: number) {
    this.filename = filename;
    this.entries = new Int32Array((expectedEntries + 1) * stride);
    this.add(start.byte, start.line, start.column);
  }

  /** Adds an entry; its offset must be larger than that of the entry before. */
  add(byte: number, line: number, column: number): void {
    const at = this.count * stride;
    if (at === this.entries.length) this.#resize(at * 2);
    this.entries[at] = byte;
    this.entries[at + 1] = line;
    this.entries[at + 2] = column;
    this.count += 1;
  }

  /** Releases the memory reserved for more entries. */
  trim(): void {
    this.#resize(this.count * stride);
  }

  #resize(length: number): void {
    const entries = new Int32Array(length);
    entries.set(this.entries.subarray(0, this.count * stride));
    this.entries = entries;
  }

  /** The position at a byte offset, which must be that of a token's start or end. */
  at(byte: number): SourcePosition {
    const entries = this.entries;
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (entries[middle * stride]! <= byte) low = middle;
      else high = middle - 1;
    }
    const at = low * stride;
    return { line: entries[at + 1]!, column: entries[at + 2]! + byte - entries[at]!, byte };
  }
}
