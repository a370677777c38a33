// SPDX-License-Identifier: Apache-2.0
import type { FrameWriter } from "./frame-writer.ts";
import { errorCode } from "./frame.ts";
import { limits } from "./limits.ts";
import { TokenBucket } from "./token-bucket.ts";
import { Violation } from "./violation.ts";

/** Rate limits of one connection for frames and calls that are cheap for the peer and cause work for this endpoint. */
export class AbuseGuard {
  readonly #writer: FrameWriter;
  readonly #idleFrames = new TokenBucket(limits.idleFrames.burst, limits.idleFrames.perSecond);
  readonly #resets = new TokenBucket(limits.resets.burst, limits.resets.perSecond);

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** Records that the peer sent a call, or data of a call. Allows one more idle frame. */
  recordUsefulFrame(): void {
    this.#idleFrames.putBack();
  }

  /**
   * Counts a frame that does no work for a call. `count`: number of such frames that cause the same amount of work.
   *
   * @throws Violation `ENHANCE_YOUR_CALM` when the peer sends too many of them.
   */
  countIdleFrame(count = 1): void {
    if (!this.#idleFrames.take(count))
      throw new Violation(errorCode.enhanceYourCalm, "the peer sent too many frames without a call or data");
  }

  /**
   * Counts a call that ended without a response, because the peer cancelled it or this endpoint refused it.
   *
   * @throws Violation `ENHANCE_YOUR_CALM` when there are too many of them.
   */
  countReset(): void {
    if (!this.#resets.take()) throw new Violation(errorCode.enhanceYourCalm, "the peer opened too many calls that were reset");
  }

  /**
   * Checks that an acknowledgement may be queued for the peer.
   *
   * @throws Violation `ENHANCE_YOUR_CALM` when the peer does not read the output of this endpoint.
   */
  checkUnreadOutput(): void {
    if (this.#writer.backlog <= limits.unreadOutput) return;
    throw new Violation(errorCode.enhanceYourCalm, "the peer requests acknowledgements and does not read them");
  }
}
