// SPDX-License-Identifier: Apache-2.0
import { headerTableSize } from "../hpack/header-decoder.ts";
import { defaultMaxFrameSize, defaultWindowSize, errorCode, flag, largestFrameSize, largestWindowSize, setting } from "./frame.ts";
import { limits } from "./limits.ts";
import { Violation } from "./violation.ts";

/** Settings of the peer, as its SETTINGS frames change them. */
export class PeerSettings {
  /** Maximum number of streams that this endpoint may have open. */
  maxConcurrentStreams: number = Infinity;
  /** Send window of a new stream, in bytes. */
  initialWindowSize: number = defaultWindowSize;
  /** Maximum size of a frame that the peer accepts, in bytes. */
  maxFrameSize: number = defaultMaxFrameSize;
  /** Smallest size that the peer has set for the header table of this endpoint, in bytes. */
  headerTableSize: number = headerTableSize;

  /**
   * Applies a SETTINGS frame. When it sets a value several times, the last one counts.
   *
   * @returns whether the peer expects an acknowledgement; the frame may be one itself.
   * @throws Violation when the frame or a value is invalid.
   */
  apply(flags: number, streamId: number, bytes: Buffer, start: number, end: number): boolean {
    const size = end - start;
    if (streamId !== 0) throw new Violation(errorCode.protocolError, "SETTINGS on a stream");
    if (size % 6 !== 0 || (flags & flag.ack && size > 0)) throw new Violation(errorCode.frameSizeError, `SETTINGS of ${size} bytes`);
    if (flags & flag.ack) return false;
    if (size > limits.settingsEntries * 6) throw new Violation(errorCode.enhanceYourCalm, `${size / 6} settings in one frame`);
    for (let at = start; at < end; at += 6) this.#applyEntry(bytes.readUInt16BE(at), bytes.readUInt32BE(at + 2));
    return true;
  }

  #applyEntry(key: number, value: number): void {
    switch (key) {
      case setting.headerTableSize:
        this.headerTableSize = Math.min(this.headerTableSize, value);
        return;
      case setting.enablePush:
        if (value > 1) throw new Violation(errorCode.protocolError, `ENABLE_PUSH of ${value}`);
        return;
      case setting.maxConcurrentStreams:
        this.maxConcurrentStreams = value;
        return;
      case setting.initialWindowSize:
        if (value > largestWindowSize) throw new Violation(errorCode.flowControlError, `INITIAL_WINDOW_SIZE of ${value} bytes`);
        this.initialWindowSize = value;
        return;
      case setting.maxFrameSize:
        if (value < defaultMaxFrameSize || value > largestFrameSize) {
          throw new Violation(errorCode.protocolError, `MAX_FRAME_SIZE of ${value} bytes`);
        }
        this.maxFrameSize = value;
        return;
      default:
    }
  }
}
