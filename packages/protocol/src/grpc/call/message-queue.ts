// SPDX-License-Identifier: Apache-2.0
import { MessageBuffer } from "./message-buffer.ts";

/** Options of a {@link MessageQueue}. */
export interface MessageQueueOptions<T> {
  /** Decodes a message when the consumer takes it. */
  readonly decode: (bytes: Uint8Array) => T;
  /** Called after messages were taken or discarded, with their total length in bytes, and their number. */
  readonly onTaken: (bytes: number, count: number) => void;
  /** Called when the consumer stops before the end. */
  readonly onAbandoned: () => void;
}

/** Received messages of a streaming call, until the consumer takes them. Can be iterated once. */
export class MessageQueue<T> implements AsyncIterableIterator<T, undefined, undefined> {
  readonly #options: MessageQueueOptions<T>;
  readonly #buffer = new MessageBuffer();
  #reads: { readonly resolve: (result: IteratorResult<T, undefined>) => void; readonly reject: (error: unknown) => void }[] = [];
  #end: { readonly error: unknown } | "ended" | undefined;

  constructor(options: MessageQueueOptions<T>) {
    this.#options = options;
  }

  /** Memory that the queued messages occupy, in bytes. */
  get memory(): number {
    return this.#buffer.memory;
  }

  /** Adds a message. After the end it is discarded. */
  push(bytes: Uint8Array): void {
    if (this.#end !== undefined) this.#options.onTaken(bytes.length, 1);
    else if (this.#reads.length > 0) this.#deliver(bytes);
    else this.#buffer.push(bytes);
  }

  /** Ends the iteration after the queued messages. */
  end(): void {
    this.#end ??= "ended";
    this.#settleReads();
  }

  /** Ends the iteration with an error after the queued messages. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#settleReads();
  }

  /** Ends the iteration with an error immediately; queued messages are discarded. */
  abort(error: unknown): void {
    if (this.#end === undefined || !this.#buffer.empty) this.#end = { error };
    this.#discard();
    this.#settleReads();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const bytes = this.#buffer.shift();
    if (bytes === undefined) {
      return new Promise((resolve, reject) => {
        this.#reads.push({ resolve, reject });
        this.#settleReads();
      });
    }
    try {
      return Promise.resolve({ done: false, value: this.#take(bytes) });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  return(): Promise<IteratorResult<T, undefined>> {
    const abandoned = this.#end === undefined || !this.#buffer.empty;
    this.#end = "ended";
    this.#discard();
    this.#settleReads();
    if (abandoned) this.#options.onAbandoned();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Settles the oldest pending read with a message. */
  #deliver(bytes: Uint8Array): void {
    const { resolve, reject } = this.#reads.shift()!;
    try {
      resolve({ done: false, value: this.#take(bytes) });
    } catch (error) {
      reject(error);
      this.#settleReads();
    }
  }

  /** Decodes a message for the consumer. A message that cannot be decoded ends the iteration. */
  #take(bytes: Uint8Array): T {
    this.#options.onTaken(bytes.length, 1);
    try {
      return this.#options.decode(bytes);
    } catch (error) {
      this.#end = "ended";
      this.#discard();
      this.#options.onAbandoned();
      throw error;
    }
  }

  /** Settles the pending reads when the iteration has ended and no message is left. */
  #settleReads(): void {
    if (this.#end === undefined || !this.#buffer.empty) return;
    for (const { resolve, reject } of this.#reads.splice(0)) {
      if (this.#end === "ended") {
        resolve({ done: true, value: undefined });
        continue;
      }
      reject(this.#end.error);
      // The error is reported once.
      this.#end = "ended";
    }
  }

  #discard(): void {
    const { bytes, count } = this.#buffer.clear();
    if (count > 0) this.#options.onTaken(bytes, count);
  }
}
