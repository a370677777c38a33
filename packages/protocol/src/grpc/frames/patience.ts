// SPDX-License-Identifier: Apache-2.0
import { Budget } from "./budget.ts";
import { errorCode } from "./frame.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { limits } from "./limits.ts";
import { Violation } from "./violation.ts";

/** What a connection bears of a peer that costs it work and itself next to nothing. */
export class Patience {
  readonly #writer: FrameWriter;
  readonly #idleFrames = new Budget(limits.idleFrames.atOnce, limits.idleFrames.perSecond);
  readonly #resets = new Budget(limits.resets.atOnce, limits.resets.perSecond);

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** The peer has done something of use. */
  useful(): void {
    this.#idleFrames.earn();
  }

  /** A frame that brings nothing. @throws Violation where there are too many. */
  idle(): void {
    if (!this.#idleFrames.spend()) throw new Violation(errorCode.enhanceYourCalm, "too many frames that bring nothing");
  }

  /** A call that was opened and taken back, or refused. @throws Violation where there are too many. */
  reset(): void {
    if (!this.#resets.spend()) throw new Violation(errorCode.enhanceYourCalm, "too many calls opened to be taken back");
  }

  /** Something that must be answered at once. @throws Violation where too many such answers have not been read. */
  asks(): void {
    if (this.#writer.backlog > limits.unreadOutput)
      throw new Violation(errorCode.enhanceYourCalm, "the peer asks, and does not read our answers");
  }
}
