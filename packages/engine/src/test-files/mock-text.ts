// SPDX-License-Identifier: Apache-2.0

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890";
const minimumLength = 4;
const maximumLength = 15;

/**
 * Random texts for the computed strings of mocked objects: 4 to 15 letters and digits. The texts of a resource type are the same in every
 * run, so that a second plan has no changes, as in OpenTofu. They are not the texts of OpenTofu, whose generator is that of Go.
 */
export class MockText {
  #state: number;

  /** @param seed The resource type. */
  constructor(seed: string) {
    // FNV-1, as OpenTofu seeds its generator.
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(seed)) hash = Math.imul(hash, 0x01000193) ^ byte;
    this.#state = hash >>> 0;
  }

  /** The next text. */
  next(): string {
    const length = minimumLength + this.#below(maximumLength - minimumLength + 1);
    return Array.from({ length }, () => letters[this.#below(letters.length)]).join("");
  }

  /** The next whole number below a limit: a Weyl sequence, mixed by the multiplications and shifts of Mulberry32. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}
