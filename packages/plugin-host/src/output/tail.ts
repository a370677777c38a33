// SPDX-License-Identifier: Apache-2.0

/** Number of bytes of an output that are kept for errors. */
const keptBytes = 4096;

/** The last bytes of an output. */
export class Tail {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isTruncated = false;

  /** Adds a chunk of the output. */
  add(chunk: Buffer): void {
    // A view would keep the whole chunk in memory.
    const part = chunk.length > keptBytes ? Buffer.from(chunk.subarray(-keptBytes)) : chunk;
    this.#isTruncated ||= chunk.length > keptBytes;
    this.#chunks.push(part);
    this.#bytes += part.length;
    // Joining only at twice the size keeps many small chunks cheap.
    if (this.#bytes > 2 * keptBytes) this.#join();
  }

  /** The last 4 KiB from the beginning of a line: a truncated secret would not be recognised. */
  get lines(): string {
    const { text } = this;
    return this.#isTruncated ? text.slice(text.indexOf("\n") + 1) : text;
  }

  /** The last 4 KiB, without an incomplete character at the start. */
  get text(): string {
    this.#join();
    let start = 0;
    const bytes = this.#chunks[0] ?? Buffer.alloc(0);
    if (bytes.length === keptBytes) while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
    return bytes.toString("utf8", start);
  }

  #join(): void {
    this.#isTruncated ||= this.#bytes > keptBytes;
    const joined = Buffer.from(Buffer.concat(this.#chunks).subarray(-keptBytes));
    this.#chunks = [joined];
    this.#bytes = joined.length;
  }
}
