// SPDX-License-Identifier: Apache-2.0
import { windowSize } from "../../carrier/carrier.ts";
import { errorCode } from "./frame.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { Violation } from "./violation.ts";

/**
 * How much may come on all streams of a connection together. What has come is credited at once, whoever takes it: who reads slowly holds up
 * its own stream, never the others.
 */
export class ReceiveWindow {
  readonly #writer: FrameWriter;
  #left: number = windowSize.connection;
  #uncredited = 0;
  /** Data that may be on its way on streams that we have reset, in bytes. */
  #expectedLate = 0;

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** So much has come, in bytes. @throws Violation where that is more than may. */
  take(size: number): void {
    this.#left -= size;
    if (this.#left < 0) throw new Violation(errorCode.flowControlError, "more data than the connection's window allows");
    this.#uncredited += size;
    if (this.#uncredited < windowSize.connection / 2) return;
    this.#writer.windowUpdate(0, this.#uncredited);
    this.#left += this.#uncredited;
    this.#uncredited = 0;
  }

  /** So much may still come on a stream that we have reset, in bytes. */
  expectLate(size: number): void {
    this.#expectedLate += size;
  }

  /** So much has come on a stream that has ended. @throws Violation where that is more than could have been on its way. */
  takeLate(size: number, streamId: number): void {
    this.#expectedLate -= size;
    if (this.#expectedLate < 0) throw new Violation(errorCode.streamClosed, `data of stream ${streamId}, which has ended`);
  }
}
