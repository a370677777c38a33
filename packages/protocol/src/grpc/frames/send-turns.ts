// SPDX-License-Identifier: Apache-2.0
import type { FrameWriter } from "./frame-writer.ts";
import type { Stream } from "./stream.ts";

/** The streams of a connection that have something to send: each writes a frame in its turn, until the windows or the socket have had enough. */
export class SendTurns {
  readonly #writer: FrameWriter;
  readonly #waiting = new Set<Stream>();
  #taking = false;
  #stopped = false;

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** The stream has something to send, and a window for it. */
  enqueue(stream: Stream): void {
    this.#waiting.add(stream);
    this.take();
  }

  /** The stream is over. */
  forget(stream: Stream): void {
    this.#waiting.delete(stream);
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#stopped = true;
  }

  /** Writes what waits, as far as that goes now. */
  take(): void {
    // Sending may lead to more to send.
    if (this.#taking) return;
    this.#taking = true;
    try {
      this.#takeAll();
    } finally {
      this.#taking = false;
    }
  }

  #takeAll(): void {
    for (let moved = true; moved && this.#waiting.size > 0;) {
      moved = false;
      for (const stream of this.#waiting) {
        if (this.#stopped || this.#writer.blocked) return;
        const state = stream.pump();
        if (state === "wait" || !stream.pending) this.#waiting.delete(stream);
        moved ||= state === "more" || state === "empty";
      }
    }
  }
}
