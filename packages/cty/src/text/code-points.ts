// SPDX-License-Identifier: Apache-2.0

/** A set of code points. Its table of ranges is parsed on first use. */
export class CodePoints {
  readonly #table: string;
  /** First code point of each range, and the code point after its last, in turn. */
  #bounds: Uint32Array | undefined;

  constructor(table: string) {
    this.#table = table;
  }

  #read(): Uint32Array {
    let last = 0;
    const bounds = this.#table.split(" ").flatMap((range) => {
      const [gap = 0, extent = 0] = range.split("+").map((digits) => Number.parseInt(digits, 36));
      const start = last + gap;
      last = start + extent;
      return [start, last + 1];
    });
    return (this.#bounds = Uint32Array.from(bounds));
  }

  has(codePoint: number): boolean {
    const bounds = this.#bounds ?? this.#read();
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (bounds[middle]! <= codePoint) low = middle + 1;
      else high = middle;
    }
    // An odd number of bounds up to the code point means that it is inside a range.
    return low % 2 === 1;
  }
}
