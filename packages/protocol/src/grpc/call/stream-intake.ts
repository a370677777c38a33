// SPDX-License-Identifier: Apache-2.0
import type { ReceiveMemory } from "../frames/receive-memory.ts";
import type { Stream } from "../frames/stream.ts";
import { MessageQueue } from "./message-queue.ts";
import { MessageReader, type MessageSink, messagePrefixLength } from "./message-reader.ts";

/** Options of a {@link StreamIntake}. */
export interface StreamIntakeOptions<T> {
  /** Size of the largest message to receive, in bytes. */
  readonly maxBytes: number;
  /** Decodes a message when the consumer takes it. */
  readonly decode: (bytes: Uint8Array) => T;
  /** Called with each message when it arrives, before the consumer takes it. */
  readonly onArrived?: (bytes: Uint8Array) => void;
  /** Called when the consumer stops before the end. */
  readonly onAbandoned: () => void;
}

/** Receives the messages of a streaming call. A slow consumer causes backpressure. */
export class StreamIntake<T> implements MessageSink {
  /** Messages for the consumer. */
  readonly queue: MessageQueue<T>;
  readonly #reader: MessageReader;
  readonly #onArrived: ((bytes: Uint8Array) => void) | undefined;
  #stream: Stream | undefined;
  /** Number of bytes received and not credited to the peer. */
  #uncredited = 0;
  /** Number of messages in the queue. */
  #queued = 0;
  /** Accounting for the memory of the queue, until the call ends. */
  #memory: ReceiveMemory | undefined;
  #accounted = 0;

  constructor({ maxBytes, decode, onArrived, onAbandoned }: StreamIntakeOptions<T>) {
    this.#reader = new MessageReader(maxBytes, this);
    this.#onArrived = onArrived;
    this.queue = new MessageQueue({ decode, onTaken: (bytes, count) => this.#handleTaken(bytes, count), onAbandoned });
  }

  /** Whether a message is incomplete. */
  get incomplete(): boolean {
    return this.#reader.incomplete;
  }

  /** Reads data of the stream. @throws ConnectError as {@link MessageReader.push} does. */
  push(stream: Stream, bytes: Buffer, start: number, end: number): void {
    this.#stream = stream;
    this.#memory ??= stream.memory;
    this.#uncredited += end - start;
    this.#reader.push(bytes, start, end, stream.memory);
    this.#account();
    // The consumer is not slow. A message larger than the window arrives only with this credit.
    if (this.#queued === 0) this.#credit(this.#uncredited);
  }

  message(bytes: Uint8Array): void {
    this.#onArrived?.(bytes);
    this.#queued++;
    this.queue.push(bytes);
  }

  /**
   * Ends the accounting when the call ends, and frees the part of an incomplete message. Messages left in the queue no longer count towards
   * the limits of the connection; the consumer decides how long they live.
   */
  stopAccounting(): void {
    this.#reader.discard();
    this.#memory?.addQueued(-this.#accounted);
    this.#memory = undefined;
    this.#stream = undefined;
  }

  #handleTaken(bytes: number, count: number): void {
    this.#queued -= count;
    this.#account();
    this.#credit(this.#queued === 0 ? this.#uncredited : Math.min(this.#uncredited, bytes + count * messagePrefixLength));
  }

  #account(): void {
    const { memory } = this.queue;
    if (this.#memory === undefined || memory === this.#accounted) return;
    const change = memory - this.#accounted;
    this.#accounted = memory;
    this.#memory.addQueued(change);
  }

  #credit(size: number): void {
    if (size === 0) return;
    this.#uncredited -= size;
    this.#stream?.credit(size);
  }
}
