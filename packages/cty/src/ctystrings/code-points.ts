// SPDX-License-Identifier: Apache-2.0

/** A set of code points, read from a table of ranges when it is first needed. */
export class CodePoints {
  readonly #table: string;
  #starts: Uint32Array | undefined;
  #ends: Uint32Array | undefined;

  constructor(table: string) {
    this.#table = table;
  }

  #read(): Uint32Array {
    const ranges = this.#table.split(" ").map((range) => range.split("+").map((digits) => Number.parseInt(digits, 36)));
    const starts = new Uint32Array(ranges.length);
    const ends = new Uint32Array(ranges.length);
    let last = 0;
    for (const [index, [gap = 0, extent = 0]] of ranges.entries()) {
      starts[index] = last + gap;
      last = ends[index] = last + gap + extent;
    }
    this.#ends = ends;
    return (this.#starts = starts);
  }

  has(codePoint: number): boolean {
    const starts = this.#starts ?? this.#read();
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= codePoint) low = middle + 1;
      else high = middle;
    }
    return low > 0 && codePoint <= this.#ends![low - 1]!;
  }
}
