// SPDX-License-Identifier: Apache-2.0

/** How much of an output is kept for errors, in bytes. */
const keptBytes = 4096;

/** Remembers the end of an output. */
export class Tail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    // A view would keep the whole chunk alive.
    const part = chunk.length > keptBytes ? Buffer.from(chunk.subarray(-keptBytes)) : chunk;
    this.#chunks.push(part);
    this.#bytes += part.length;
    // Joining at twice the size makes it cheap for many small chunks.
    if (this.#bytes > 2 * keptBytes) this.#join();
  }

  /** The last 4 KiB. A character cut in half at the front is left out. */
  get text(): string {
    this.#join();
    let start = 0;
    const bytes = this.#chunks[0] ?? Buffer.alloc(0);
    if (bytes.length === keptBytes) while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
    return bytes.toString("utf8", start);
  }

  #join(): void {
    const joined = Buffer.from(Buffer.concat(this.#chunks).subarray(-keptBytes));
    this.#chunks = [joined];
    this.#bytes = joined.length;
  }
}
