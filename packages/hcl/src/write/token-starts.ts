// SPDX-License-Identifier: Apache-2.0
import type { Tokens } from "../scan/tokens.ts";

/** Finds the tokens of what a tree says the ranges of. */
export class TokenStarts {
  readonly #tokens: Tokens;
  readonly #byByte = new Map<number, number>();

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    for (let index = 0; index < tokens.count; index++) this.#byByte.set(tokens.start(index).byte, index);
  }

  /** The number of the token that starts at a byte; there must be one. */
  at(byte: number): number {
    return this.#byByte.get(byte)!;
  }

  /** The number of the first token that starts at a byte or after it, sought from another token on. */
  after(byte: number, from: number): number {
    let index = from;
    while (this.#tokens.start(index).byte < byte) index += 1;
    return index;
  }
}
