// SPDX-License-Identifier: Apache-2.0

/** Go's hosts read a longer line in pieces; so a provider's lines are shorter, and what is longer is nobody's log. */
const longestLine = 64 * 1024;

const newline = 10;
const carriageReturn = 13;

/**
 * Cuts an output into lines, without their ends. A line above 64 KiB comes in pieces.
 *
 * Lines are views of the chunks: use them before you return.
 */
export class LineSplitter {
  readonly #take: (line: Buffer) => void;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(take: (line: Buffer) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#emit(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#rest.push(chunk.subarray(start));
      this.#restBytes += chunk.length - start;
      if (this.#restBytes >= longestLine) this.end();
    }
  }

  /** Hands out what waits for a line end. */
  end(): void {
    if (this.#restBytes > 0) this.#emit(Buffer.alloc(0));
  }

  #emit(last: Buffer): void {
    let line = last;
    if (this.#restBytes > 0) {
      line = Buffer.concat([...this.#rest, last]);
      this.#rest = [];
      this.#restBytes = 0;
    }
    this.#take(line.at(-1) === carriageReturn ? line.subarray(0, -1) : line);
  }
}
