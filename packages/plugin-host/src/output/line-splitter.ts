// SPDX-License-Identifier: Apache-2.0

/** Maximum length of a line in bytes. Longer lines are split, as in Go's hosts, so providers write shorter log lines. */
const longestLine = 64 * 1024;

const newline = 10;
const carriageReturn = 13;

/**
 * Splits an output into lines without their line ends. A line of more than 64 KiB is split.
 *
 * Lines are views of the chunks, which are valid only until the listener returns.
 */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(onLine: (line: Buffer) => void) {
    this.#onLine = onLine;
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

  /** Emits a last line that has no line end. */
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
    this.#onLine(line.at(-1) === carriageReturn ? line.subarray(0, -1) : line);
  }
}
