// SPDX-License-Identifier: Apache-2.0
import type { Stream } from "../frames/stream.ts";
import { MessageQueue } from "./message-queue.ts";
import { MessageReader, type MessageSink, messagePrefixLength } from "./message-reader.ts";

/** Messages of a streaming call on their way in. Who takes them slowly slows the sender down. */
export class StreamIntake<T> implements MessageSink {
  readonly queue: MessageQueue<T>;
  readonly #reader: MessageReader;
  readonly #arrived: ((bytes: Uint8Array) => void) | undefined;
  readonly #stream: () => Stream | undefined;
  /** What has come and has not been credited, in bytes. */
  #held = 0;
  /** Messages that nobody has taken. */
  #waiting = 0;

  constructor(options: {
    readonly maxBytes: number;
    readonly read: (bytes: Uint8Array) => T;
    /** Told of each message when it has come, before anybody reads it. */
    readonly arrived?: (bytes: Uint8Array) => void;
    readonly stream: () => Stream | undefined;
    readonly abandoned: () => void;
  }) {
    this.#reader = new MessageReader(options.maxBytes, this);
    this.#stream = options.stream;
    this.#arrived = options.arrived;
    this.queue = new MessageQueue(options.read, (size) => this.#taken(size), options.abandoned);
  }

  /** Whether a message has begun and not ended. */
  get unfinished(): boolean {
    return this.#reader.unfinished;
  }

  /** @throws ConnectError as {@link MessageReader.push} does. */
  push(bytes: Buffer, start: number, end: number): void {
    this.#held += end - start;
    this.#reader.push(bytes, start, end);
    // Nobody is slow: a message larger than the window must get through.
    if (this.#waiting === 0) this.#credit(this.#held);
  }

  message(bytes: Uint8Array): void {
    this.#arrived?.(bytes);
    this.#waiting++;
    this.queue.push(bytes);
  }

  #taken(size: number): void {
    this.#waiting--;
    this.#credit(this.#waiting === 0 ? this.#held : Math.min(this.#held, size + messagePrefixLength));
  }

  #credit(size: number): void {
    if (size === 0) return;
    this.#held -= size;
    this.#stream()?.credit(size);
  }
}
