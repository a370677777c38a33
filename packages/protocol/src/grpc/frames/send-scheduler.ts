// SPDX-License-Identifier: Apache-2.0
import type { FrameWriter } from "./frame-writer.ts";
import type { Stream } from "./stream.ts";

/** Sends for the streams of a connection in turn, a frame at a time, until the windows or the socket are full. */
export class SendScheduler {
  readonly #writer: FrameWriter;
  readonly #waiting = new Set<Stream>();
  #running = false;
  #stopped = false;

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** Adds a stream that has something to send, and runs. */
  schedule(stream: Stream): void {
    this.#waiting.add(stream);
    this.run();
  }

  /** Removes a stream that has ended. */
  remove(stream: Stream): void {
    this.#waiting.delete(stream);
  }

  /** Stops sending. */
  stop(): void {
    this.#stopped = true;
  }

  /** Sends as much as is possible now. */
  run(): void {
    // Sending may schedule more.
    if (this.#running) return;
    this.#running = true;
    try {
      this.#sendAll();
    } finally {
      this.#running = false;
    }
  }

  #sendAll(): void {
    for (let progress = true; progress && this.#waiting.size > 0;) {
      progress = false;
      for (const stream of this.#waiting) {
        if (this.#stopped || this.#writer.blocked) return;
        const state = stream.sendNext();
        if (state === "stream-blocked" || !stream.pending) this.#waiting.delete(stream);
        progress ||= state === "more" || state === "empty";
      }
    }
  }
}
