// SPDX-License-Identifier: Apache-2.0
import { windowSize } from "../../carrier/carrier.ts";
import { errorCode } from "./frame.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { ReceiveMemory } from "./receive-memory.ts";
import { Violation } from "./violation.ts";

/**
 * Flow-control window of a whole connection, for received data.
 *
 * Data is credited as it arrives, even before a call consumes it: a slow reader stops its own stream, not the others. Nothing is credited
 * while messages that no call has taken fill the {@link memory}.
 */
export class ReceiveWindow {
  readonly #writer: FrameWriter;
  /** Memory that received messages occupy. */
  readonly memory: ReceiveMemory;
  #available: number = windowSize.connection;
  #uncredited = 0;

  /** @param maxMessageBytes - size of the largest message that a call accepts. */
  constructor(writer: FrameWriter, maxMessageBytes: number) {
    this.#writer = writer;
    this.memory = new ReceiveMemory(maxMessageBytes, () => this.#credit());
  }

  /** Accounts for received data. @throws Violation `FLOW_CONTROL_ERROR` when it exceeds the window. */
  consume(size: number): void {
    this.#available -= size;
    if (this.#available < 0) throw new Violation(errorCode.flowControlError, "the peer sent more data than the connection's window allows");
    this.#uncredited += size;
    if (!this.memory.congested) this.#credit();
  }

  #credit(): void {
    if (this.#uncredited < windowSize.connection / 2) return;
    this.#writer.windowUpdate(0, this.#uncredited);
    this.#available += this.#uncredited;
    this.#uncredited = 0;
  }
}
