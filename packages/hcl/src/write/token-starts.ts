// SPDX-License-Identifier: Apache-2.0
import type { Tokens } from "../scan/tokens.ts";

/** Finds the tokens at the ranges of a tree. */
export class TokenStarts {
  /** Byte offsets of the tokens, ascending. */
  readonly #starts: Int32Array;

  constructor(tokens: Tokens) {
    this.#starts = new Int32Array(tokens.count);
    for (let index = 0; index < tokens.count; index++) this.#starts[index] = tokens.start(index).byte;
  }

  /** Index of the first token that starts at or after a byte offset. */
  at(byte: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! < byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
