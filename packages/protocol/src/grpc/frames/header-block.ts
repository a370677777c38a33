// SPDX-License-Identifier: Apache-2.0
import { errorCode } from "./frame.ts";
import { limits } from "./limits.ts";
import { Violation } from "./violation.ts";

/** A header block that comes in several frames. */
export class HeaderBlock {
  readonly streamId: number;
  /** With it, the stream's half is over. */
  readonly last: boolean;
  readonly #fragments: Buffer[] = [];
  #size = 0;

  constructor(streamId: number, last: boolean) {
    this.streamId = streamId;
    this.last = last;
  }

  /** @throws Violation where there is no end to it. */
  add(bytes: Buffer, start: number, end: number): void {
    // What it is cut from may be much larger, and is not ours.
    this.#fragments.push(Buffer.from(bytes.subarray(start, end)));
    this.#size += end - start;
    const { headerBlock } = limits;
    if (this.#fragments.length > headerBlock.frames || this.#size > headerBlock.bytes) {
      throw new Violation(errorCode.enhanceYourCalm, `headers that go on after ${this.#size} bytes in ${this.#fragments.length} frames`);
    }
  }

  whole(): Buffer {
    return Buffer.concat(this.#fragments);
  }
}
